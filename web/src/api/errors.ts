// What can go wrong with a request, in words that say what to do.
import { type Json, member, numberOf, parseJson, textOf } from '../json/lossless_json';

export class UnreachableError extends Error {
  // `timedOut`: the server kept silent until the page gave up. Otherwise the connection broke, or there was none.
  constructor(readonly timedOut = false) {
    super('The server does not answer. The page goes on asking; nothing you entered is lost.');
  }
}

// A mistake in a query, with its place in the text.
export interface QueryMistake {
  message: string;
  code: string;
  start: number;
  end: number;
}

const kOwnerNotFound = 1003;
const kOtherContainer = 1024;
const kOtherPartitionKey = 1001;

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly substatus: number,
    readonly retryAfterMs: number,
    readonly mistakes: QueryMistake[],
  ) {
    super(message);
  }

  // The container was deleted, or deleted and made anew.
  get isMisplaced(): boolean {
    return (
      (this.status === 404 && this.substatus === kOwnerNotFound) ||
      (this.status === 400 && this.substatus === kOtherContainer)
    );
  }

  static of(response: Response, body: Json, text: string): ApiError {
    const raw = textOf(member(body, 'message')) ?? text.slice(0, 500);
    const mistakes = queryMistakes(raw);
    const words = mistakes.length > 0 ? mistakes.map((mistake) => mistake.message).join(' ') : readable(raw);
    return new ApiError(
      words || `The server answered ${response.status}.`,
      response.status,
      textOf(member(body, 'code')) ?? '',
      Number(response.headers.get('x-ms-substatus') ?? 0),
      Number(response.headers.get('x-ms-retry-after-ms') ?? 0),
      mistakes,
    );
  }
}

// Texts of the API carry an activity id and, for some, a list in JSON: people need the words alone.
export function readable(message: string): string {
  const withoutId = message.replace(/\r?\n?ActivityId:.*$/s, '').trim();
  const list = /^Message: (\{"Errors":\[.*\]\})$/s.exec(withoutId);
  if (list) {
    const errors = member(tryParse(list[1]!), 'Errors');
    if (Array.isArray(errors)) return errors.filter((error) => typeof error === 'string').join(' ');
  }
  return withoutId.replace(/^Message: /, '');
}

// The list of mistakes in the answer to a query: `Message: {"errors":[{"location":{"start","end"},"code","message"}]}`.
export function queryMistakes(message: string): QueryMistake[] {
  const start = message.indexOf('{"errors":');
  if (start < 0) return [];
  const errors = member(tryParse(message.slice(start).replace(/\r?\nActivityId:.*$/s, '')), 'errors');
  if (!Array.isArray(errors)) return [];
  return errors.map((error) => {
    const location = member(error, 'location');
    return {
      message: textOf(member(error, 'message')) ?? 'A mistake in the query.',
      code: textOf(member(error, 'code')) ?? '',
      start: numberOf(member(location, 'start')) ?? 0,
      end: numberOf(member(location, 'end')) ?? 0,
    };
  });
}

function tryParse(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

function waitSeconds(error: ApiError): number {
  return Math.max(1, Math.ceil(error.retryAfterMs / 1000));
}

// What a person can do about an error, in one or two sentences.
export function explain(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.isMisplaced) return 'The container is not there any more: it was deleted, or deleted and made anew.';
  if (error.status === 400 && error.substatus === kOtherPartitionKey)
    return 'The partition key of an item cannot change. Duplicate the item, give the new one its key, delete this one.';
  switch (error.status) {
    case 401:
      return `${error.message} Sign in with another key.`;
    case 404:
      return 'It is not there any more: it was deleted, or its lifetime has ended. Refresh the list.';
    case 409:
      return `${error.message} Choose another id, or other values of the unique keys.`;
    case 412:
      return 'Somebody has written the item since you opened it. Reload it, and make your change again.';
    case 413:
      return `${error.message} An item has at most 2 MB.`;
    case 429:
      return `The throughput is used up. Try again in ${waitSeconds(error)} s, or give the container more.`;
    case 503:
      return `${error.message} Try again in a moment.`;
    default:
      return error.message;
  }
}
