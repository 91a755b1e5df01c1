// A look at everything the server holds after a restart, while nothing moves.
import { docsOf, partitionKey, pathOfContainer, pathOfItem } from './requests.mjs';

// Time and policies first, since they decide about items; every item by itself; then all of them as a feed.
export class Inspection {
  violations = [];
  itemsChecked = 0;

  constructor({ time, containers }) {
    this.time = time;
    this.containers = containers;
  }

  report(violation) {
    if (violation) this.violations.push(violation);
  }

  async run(connections) {
    await this.learnTime(connections[0]);
    for (const container of this.containers) await this.learnPolicy(connections[0], container);
    const deletions = this.containers.map((container) => container.expectAllOrNothing());
    const waiting = this.containers.flatMap((container) => container.items).values();
    await Promise.all(
      connections.map(async (connection) => {
        for (const item of waiting) await this.read(connection, item);
      }),
    );
    for (const faultOfDeletion of deletions) this.report(faultOfDeletion());
    for (const container of this.containers) await this.readFeed(connections[0], container);
  }

  async learnTime(connection) {
    const state = await connection.plain('GET', '/_lapse/clock');
    this.report(this.time.learn(state.json));
    if (this.time.frozen) return;
    const stopped = await connection.plain('POST', '/_lapse/clock', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ freeze: true }),
    });
    this.report(this.time.freezeAt(stopped.json.now));
  }

  async learnPolicy(connection, container) {
    const { status, json, text } = await connection.request('GET', pathOfContainer(container));
    if (status !== 200) this.report(`${container.id}: was answered ${status}: ${text}`);
    else this.report(container.learnPolicy(json.defaultTtl));
    container.history.moveTimeTo(this.time.now);
  }

  async read(connection, item) {
    const answer = await connection.request('GET', pathOfItem(item), { headers: partitionKey(item) });
    this.itemsChecked += 1;
    let wrong = `${item.name}: read was answered ${answer.status}: ${answer.text}`;
    if (answer.status === 200) wrong = item.found(answer.json);
    if (answer.status === 404) wrong = item.missing();
    this.report(wrong);
  }

  async readFeed(connection, container) {
    const seen = [];
    let continuation;
    do {
      const headers = { 'x-ms-max-item-count': '40', 'x-ms-continuation': continuation };
      const page = await connection.request('GET', docsOf(container), { headers });
      if (page.status !== 200) throw new Error(`a feed was answered ${page.status}: ${page.text}`);
      seen.push(...page.json.Documents.map((document) => `${document.pk}/${document.id} ${document._etag}`));
      continuation = page.headers['x-ms-continuation'];
    } while (continuation);
    const live = container.items.filter((item) => item.version);
    const reads = live.map((item) => `${item.pk}/${item.id} ${item.version.etag}`).sort().join('\n');
    const feed = seen.sort().join('\n');
    if (feed !== reads) this.report(`${container.id}: the feed is\n${feed}\nand the reads say\n${reads}`);
  }
}
