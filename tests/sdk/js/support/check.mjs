// What every test file needs to say: a bounded test, and the outcome of an SDK call as a number.
import assert from 'node:assert/strict';
import nodeTest from 'node:test';

const kTestMaxMs = 60_000;

// A test that cannot hang.
export function test(name, run) {
  return nodeTest(name, { timeout: kTestMaxMs }, run);
}

// The HTTP status of an SDK call, whether it threw or not. What is not an answer of the server is thrown on.
export async function statusOf(promise) {
  try {
    return (await promise).statusCode;
  } catch (error) {
    if (typeof error.code !== 'number') throw error;
    return error.code;
  }
}

// The error of an SDK call that must fail with this status, and sub-status where given.
export async function failure(promise, status, substatus) {
  let response;
  try {
    response = await promise;
  } catch (error) {
    assert.equal(error.code, status, `${error.stack ?? error.message}`);
    if (substatus !== undefined) assert.equal(error.substatus, substatus, error.message);
    assert.equal(typeof error.body.code, 'string');
    assert.ok(error.body.message.length > 0);
    return error;
  }
  // Reading a missing item is an answer for the SDK, not an exception.
  assert.fail(`expected ${status}, got ${response?.statusCode}`);
}

// A raw answer that must be an error with a body that SDKs can read.
export function assertError(response, ...statuses) {
  const outcome = `expected ${statuses.join(' or ')}, got ${response.status}: ${response.text}`;
  assert.ok(statuses.includes(response.status), outcome);
  assert.equal(typeof response.json?.code, 'string', response.text);
  assert.equal(typeof response.json?.message, 'string', response.text);
  assert.ok(response.json.message.length > 0);
  const activity = response.headers['x-ms-activity-id'];
  if (activity) assert.ok(response.json.message.endsWith(`\r\nActivityId: ${activity}`), response.text);
  return response;
}

let names = 0;
// A name that no other test of this file uses.
export function uniqueName(prefix) {
  names += 1;
  return `${prefix}${names}`;
}

// Creates the database if it is not there, and a new container in it with the partition key path /pk unless the
// definition says otherwise.
export async function newContainer(client, definition = {}, options = {}) {
  const { database } = await client.databases.createIfNotExists({ id: 'db' });
  const { container } = await database.containers.create(
    { id: uniqueName('c'), partitionKey: { paths: ['/pk'] }, ...definition },
    options,
  );
  return container;
}

// Runs the function over the list with at most `limit` calls under way.
export async function forAll(list, run, limit = 16) {
  const waiting = list.values();
  const worker = async () => {
    for (const element of waiting) await run(element);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}

export function withoutSystemProperties(resource) {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => !name.startsWith('_')));
}
