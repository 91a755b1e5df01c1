// Signed requests to the server that the page came from. The REST API is at ../ of the page.
import { type Json, JsonError, parseJson } from '../json/lossless_json';
import { ApiError, UnreachableError } from './errors';
import { Signer, signedResource, signedRid } from './signature';

const kVersion = '2020-07-15';
// Nothing that the page asks for takes longer, but for walks over items, which can be cancelled.
const kAnswerMaxMs = 30_000;
// dbs/{database}/colls/{container}
const kContainerParts = 4;

export interface RequestOptions {
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  // Waits for as long as it takes.
  patient?: boolean;
  // The parts of the path are rids and not names.
  byRid?: boolean;
}

export interface Answer {
  status: number;
  headers: Headers;
  // null when there is no body.
  body: Json;
  // The bytes of the body, as UTF-16 units.
  size: number;
  chargeRu: number;
  tookMs: number;
}

export class Client {
  constructor(
    private readonly signer: Signer | null,
    // Told after each request whether the server has answered it.
    private readonly onOutcome: (answered: boolean) => void = () => {},
    // Told when something of a container was asked for that is not there, or has another one in its place.
    private readonly onMisplaced: () => void = () => {},
    private readonly root: string = new URL('../', document.baseURI).pathname,
  ) {}

  // A request of the REST API. `parts` are the decoded parts of the path: ['dbs', 'app', 'colls', 'sessions'].
  async rest(method: string, parts: readonly string[], options: RequestOptions = {}): Promise<Answer> {
    const { type, link } = options.byRid ? signedRid(parts) : signedResource(parts);
    const path = parts.map(encodeURIComponent).join('/');
    try {
      return await this.send(method, path, type, link, options, { 'x-ms-version': kVersion });
    } catch (error) {
      if (parts.length > kContainerParts && error instanceof ApiError && error.isMisplaced) this.onMisplaced();
      throw error;
    }
  }

  // A request of /_lapse: `path` as it is sent, such as `ttl?database=app&container=sessions`.
  async lapse<T>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<{ value: T; answer: Answer; sentAt: number }> {
    const whole = `_lapse/${path}`;
    const sentAt = performance.now();
    const answer = await this.send(method, whole, '_lapse', whole.split('?')[0]!, options, {});
    return { value: plain(answer.body) as T, answer, sentAt };
  }

  private async send(
    method: string,
    path: string,
    type: string,
    link: string,
    options: RequestOptions,
    more: Record<string, string>,
  ): Promise<Answer> {
    const headers: Record<string, string> = { ...more, ...options.headers };
    if (options.body !== undefined) headers['content-type'] ??= 'application/json';
    if (this.signer) {
      headers['x-ms-date'] = new Date().toUTCString();
      headers.authorization = await this.signer.authorization(method, type, link, headers['x-ms-date']);
    }
    const sentAt = performance.now();
    const ends = options.patient ? [] : [AbortSignal.timeout(kAnswerMaxMs)];
    if (options.signal) ends.push(options.signal);
    const signal = AbortSignal.any(ends);
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.root + path, {
        method,
        headers,
        body: options.body ?? null,
        signal,
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
      });
      text = await response.text();
    } catch (error) {
      if (options.signal?.aborted) throw error;
      this.onOutcome(false);
      throw new UnreachableError(signal.aborted);
    }
    this.onOutcome(true);
    if (!response.ok && response.status !== 304) throw ApiError.of(response, parseLeniently(text), text);
    const body = parseBody(text);
    return {
      status: response.status,
      headers: response.headers,
      body,
      size: text.length,
      chargeRu: Number(response.headers.get('x-ms-request-charge') ?? 0),
      tookMs: performance.now() - sentAt,
    };
  }
}

function parseBody(text: string): Json {
  if (text === '') return null;
  try {
    return parseJson(text);
  } catch (error) {
    // Not an empty answer: a result that is nested too deeply is one.
    if (error instanceof JsonError) throw new Error(`The page cannot read this answer: ${error.message}.`);
    throw error;
  }
}

// What refuses a request may be somebody in between, who does not speak JSON.
function parseLeniently(text: string): Json {
  try {
    return parseBody(text);
  } catch {
    return null;
  }
}

// Answers of /_lapse are of a known form: plain objects are easier to read there. Their numbers are below 2^53.
function plain(value: Json): unknown {
  if (value instanceof Map) {
    const object: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const [name, element] of value) object[name] = plain(element);
    return object;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === 'object') return Number(value.text);
  return value;
}
