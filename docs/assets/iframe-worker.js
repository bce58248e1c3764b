// On a disk (file:) browsers start no worker. Material's search runs in a hidden frame there.
// The name IFrameWorker tells the search that it does.
if (location.protocol === "file:")
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.ready = new Promise((done) => {
        this.frame.addEventListener("load", () => this.start(address, done), { once: true });
      });
      document.body.append(this.frame);
    }

    start(address, done) {
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.src = new URL(address, document.baseURI);
      script.addEventListener("load", () => done(inside));
      inside.document.body.append(script);
    }

    async postMessage(data) {
      const inside = await this.ready;
      inside.dispatchEvent(new inside.MessageEvent("message", { data }));
    }
  };
