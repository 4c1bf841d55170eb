// Searches of bots, each game in a worker of its own (`think.mjs`), loaded when it is first needed.

export class Thoughts {
  constructor(known, fetched, worker) {
    Object.assign(this, { known, fetched, worker, thinkers: new Map(), last: 0 });
  }

  /** What a search finds about a request of this game, as JSON. */
  async think(game, request) {
    if (!this.thinkers.has(game)) this.thinkers.set(game, this.load(game));
    try {
      const { say } = await this.thinkers.get(game);
      return JSON.stringify(await say({ think: request }));
    } catch (fault) {
      this.thinkers.delete(game); // perhaps the network was away; the next decision tries again
      throw fault;
    }
  }

  async load(game) {
    const [module, network] = await Promise.all([this.fetched(this.known.kernels[game]), this.fetched(this.known.networks[game])]);
    const worker = this.worker(), waiting = new Map();
    const take = ({ id, answer, fault }) => {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (fault) reject(new Error(fault)); else resolve(answer);
    };
    worker.onmessage = ({ data }) => take(data);
    worker.onerror = (event) => {
      for (const { reject } of waiting.values()) reject(new Error(event.message ?? "a search failed"));
      waiting.clear();
      this.thinkers.delete(game);
    };
    const say = (message) => new Promise((resolve, reject) => {
      const id = ++this.last;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...message });
    });
    await say({ load: { module, network } });
    return { say, worker };
  }
}
