// Writing an item over a connection that may break.
//
// When no answer comes, nobody knows whether the server has done the write. Both writes of the page may be sent again:
// one that replaces a version (If-Match) or makes a new item is never done twice, the server refuses the second one.
// That refusal then has to be understood: what is stored may be the very item that was sent.
import { ApiError, UnreachableError } from '../api/errors';
import { type JsonObject, parseObject } from '../json/lossless_json';
import { editableText } from './item_text';

const kConflict = 409;
const kOtherVersion = 412;

export class ItemWrite {
  // The texts that were sent and got no answer.
  private readonly unanswered = new Set<string>();

  // `send` writes the text, `readStored` reads the item that it is about. Gives the item as it is stored then.
  async write(
    text: string,
    send: (text: string) => Promise<JsonObject>,
    readStored: () => Promise<JsonObject>,
  ): Promise<JsonObject> {
    try {
      return await this.sendTwice(text, send);
    } catch (error) {
      if (!this.unanswered.has(text) || !isRefusal(error)) throw error;
      const stored = await readStored();
      if (editableText(stored) !== editableText(parseObject(text))) throw error;
      return stored;
    }
  }

  // A connection that broke is replaced by a new one, so a second attempt is worth it. A server that keeps silent for
  // long is not asked again.
  private async sendTwice(text: string, send: (text: string) => Promise<JsonObject>): Promise<JsonObject> {
    try {
      return await send(text);
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      this.unanswered.add(text);
      if (error.timedOut) throw error;
      return send(text);
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === kConflict || error.status === kOtherVersion);
}
