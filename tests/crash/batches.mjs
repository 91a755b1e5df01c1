// Batches under kill -9: each writes all items of a group at once, with a number that rises. Whoever reads a group,
// while it is written or after a restart, must find the same number in all of its items.
import { docsOf, partitionKey } from './requests.mjs';

const kGroups = 4;
const kItemsPerGroup = 20;
const kFiller = 'x'.repeat(500);

class Group {
  sent = 0;
  acknowledged = 0; // the number of the last batch that was
  acknowledgedBatches = 0;

  constructor(pk) {
    this.pk = pk;
    this.ids = Array.from({ length: kItemsPerGroup }, (_, number) => `item-${number}`);
  }

  // What is wrong with the documents of a page that shows the group. `least`: what was acknowledged when the page was
  // asked for.
  faultOf(documents, least) {
    const numbers = [...new Set(documents.map((document) => document.n))];
    const seen = `${documents.length} items with ${numbers.join(', ')}`;
    if (documents.length === 0 && least === 0) return undefined;
    if (documents.length !== kItemsPerGroup || numbers.length !== 1) return `${this.pk}: half a batch: ${seen}`;
    if (numbers[0] < least) return `${this.pk}: ${least} was acknowledged, and there are ${seen}`;
    if (numbers[0] > this.sent) return `${this.pk}: nobody sent these: ${seen}`;
    return undefined;
  }
}

export class Batches {
  container = { id: 'batches' };
  groups = Array.from({ length: kGroups }, (_, number) => new Group(`group-${number}`));
  violations = [];

  // One for each group that writes, and one that reads.
  static connections = kGroups + 1;

  get acknowledged() {
    return this.groups.reduce((sum, group) => sum + group.acknowledgedBatches, 0);
  }

  async run([reader, ...writers], isKilled) {
    const untilKilled = async (step) => {
      while (!isKilled() && this.violations.length === 0) {
        try {
          await step();
        } catch (error) {
          if (!isKilled()) this.violations.push(`a batch failed before the server was killed: ${error.stack}`);
        }
      }
    };
    let turn = 0;
    await Promise.all([
      untilKilled(() => this.read(reader, this.groups[turn++ % kGroups])),
      ...this.groups.map((group, index) => untilKilled(() => this.write(writers[index], group))),
    ]);
  }

  // After a restart: what is wrong.
  async inspect(connection) {
    for (const group of this.groups) await this.read(connection, group);
    return this.violations.splice(0);
  }

  async write(connection, group) {
    group.sent += 1;
    const n = group.sent;
    const operations = group.ids.map((id) => ({
      operationType: 'Upsert',
      resourceBody: { id, pk: group.pk, n, filler: kFiller },
    }));
    // A failure in the middle of every fourth: it must leave nothing.
    const fails = n % 4 === 0;
    if (fails) operations.splice(operations.length / 2, 0, { operationType: 'Read', id: 'none' });
    const headers = {
      ...partitionKey(group),
      'x-ms-cosmos-is-batch-request': 'true',
      'x-ms-cosmos-batch-atomic': 'true',
    };
    const answer = await connection.request('POST', docsOf(this.container), { headers, body: operations });
    if (answer.status !== (fails ? 207 : 200)) throw new Error(`a batch was answered ${answer.status}: ${answer.text}`);
    if (fails) return;
    group.acknowledged = n;
    group.acknowledgedBatches += 1;
  }

  async read(connection, group) {
    const least = group.acknowledged;
    const page = await connection.request('GET', docsOf(this.container), { headers: partitionKey(group) });
    if (page.status !== 200) throw new Error(`a feed was answered ${page.status}: ${page.text}`);
    const wrong = group.faultOf(page.json.Documents, least);
    if (wrong) this.violations.push(wrong);
  }
}
