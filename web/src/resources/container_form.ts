// From what is typed into the form of a new container to its definition. Pure.
import { type Json, type JsonObject, JsonError, isObject, parseJson } from '../json/lossless_json';
import { type TtlChoice, choiceOf, chosenTtl } from '../lifetime/ttl_choice';
import type { Throughput } from '../api/resources';

export interface ContainerForm {
  database: string;
  isNewDatabase: boolean;
  id: string;
  partitionKeys: string[];
  throughput: 'none' | 'manual' | 'autoscale';
  ru: string;
  ttl: TtlChoice;
  // One unique key on each line: paths with commas between them.
  uniqueKeys: string;
  // JSON; empty: the server's own policy.
  indexingPolicy: string;
}

export function emptyForm(database: string | undefined): ContainerForm {
  return {
    database: database ?? '',
    isNewDatabase: database === undefined,
    id: '',
    partitionKeys: ['/pk'],
    throughput: 'none',
    ru: '400',
    ttl: choiceOf(null),
    uniqueKeys: '',
    indexingPolicy: '',
  };
}

export type FormProblems = Partial<Record<keyof ContainerForm, string>>;

export interface FormResult {
  problems: FormProblems;
  definition: JsonObject;
  throughput: Throughput | null;
}

export function readForm(form: ContainerForm): FormResult {
  const problems: FormProblems = {};
  const databaseProblem = nameProblem(form.database);
  if (databaseProblem) problems.database = databaseProblem;
  const idProblem = nameProblem(form.id);
  if (idProblem) problems.id = idProblem;

  const paths = form.partitionKeys.map((path) => path.trim());
  if (paths.some((path) => !isPath(path)))
    problems.partitionKeys = 'Each path begins with / and names a property: /user or /address/city.';
  else if (new Set(paths).size < paths.length) problems.partitionKeys = 'Each level needs a path of its own.';
  const defaultTtl = chosenTtl(form.ttl);
  if (defaultTtl === undefined) problems.ttl = 'The lifetime is no duration.';

  const definition: JsonObject = new Map<string, Json>([
    ['id', form.id],
    ['partitionKey', object({ paths, kind: paths.length > 1 ? 'MultiHash' : 'Hash', version: 2 })],
  ]);
  if (defaultTtl !== undefined && defaultTtl !== null) definition.set('defaultTtl', defaultTtl);

  const uniqueKeys = form.uniqueKeys
    .split('\n')
    .map((line) =>
      line
        .split(',')
        .map((path) => path.trim())
        .filter((path) => path !== ''),
    )
    .filter((key) => key.length > 0);
  if (uniqueKeys.flat().some((path) => !isPath(path)))
    problems.uniqueKeys = 'Each path begins with /. Paths of one key are on one line, with commas.';
  else if (uniqueKeys.length > 10) problems.uniqueKeys = 'A container has at most 10 unique keys.';
  if (uniqueKeys.length > 0)
    definition.set('uniqueKeyPolicy', object({ uniqueKeys: uniqueKeys.map((key) => object({ paths: key })) }));

  if (form.indexingPolicy.trim() !== '') {
    const policy = readPolicy(form.indexingPolicy);
    if (typeof policy === 'string') problems.indexingPolicy = policy;
    else definition.set('indexingPolicy', policy);
  }
  const { throughput, problem } = readThroughputFields(form.throughput, form.ru);
  if (problem) problems.ru = problem;
  return { problems, definition, throughput };
}

// Bounds of the service: 400 RU/s, or 1,000 for autoscale.
export function readThroughputFields(
  kind: ContainerForm['throughput'],
  text: string,
): { throughput: Throughput | null; problem?: string } {
  if (kind === 'none') return { throughput: null };
  const ru = Number(text.replace(/[,\s]/g, ''));
  const least = kind === 'manual' ? 400 : 1_000;
  if (!Number.isInteger(ru) || ru < least || ru > 1_000_000)
    return { throughput: null, problem: `A whole number from ${least.toLocaleString('en-US')} to 1,000,000.` };
  return { throughput: { kind, ru } };
}

export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'A name is needed.';
  if (name.length > 255) return 'At most 255 characters.';
  if (/[/\\#?]/.test(name)) return 'None of / \\ # ? may be in a name.';
  if (name.endsWith(' ')) return 'A name cannot end with a space.';
  return undefined;
}

function isPath(path: string): boolean {
  return path.startsWith('/') && path.length > 1 && !path.endsWith('/');
}

function readPolicy(text: string): JsonObject | string {
  try {
    const policy = parseJson(text);
    return isObject(policy) ? policy : 'An indexing policy is an object.';
  } catch (error) {
    if (error instanceof JsonError) return `${error.message} (at character ${error.position + 1}).`;
    throw error;
  }
}

function object(members: Record<string, Json>): JsonObject {
  return new Map(Object.entries(members));
}
