// Throughput with the SDK: offers of containers and databases, charges, and what a client sees when it is spent.
import assert from 'node:assert/strict';
import { assertError, failure, newContainer, statusOf, test, uniqueName } from './support/check.mjs';
import { Server, serverForFile } from './support/server.mjs';

const server = serverForFile();

const kWithoutRetries = { retryOptions: { maxRetryAttemptCount: 0 }, enableBackgroundEndpointRefreshing: false };

async function newDatabase(options) {
  const { database } = await server.client().databases.create({ id: uniqueName('d'), ...options });
  return database;
}

async function metric(name, container) {
  const { text } = await server.raw.plain('GET', '/_lapse/metrics');
  const begin = `${name}{database="db",container="${container}"} `;
  const line = text.split('\n').find((each) => each.startsWith(begin));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

// Creates until the server has had enough; the refusals.
async function flood(container) {
  for (let round = 0; round < 100; round += 1) {
    const creates = Array.from({ length: 50 }, (_, i) => container.items.create({ id: `${round}-${i}`, pk: 'p' }));
    const outcomes = await Promise.allSettled(creates);
    const refused = outcomes.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
    if (refused.length > 0) return refused;
  }
  return assert.fail('never throttled');
}

test('the offer of a container is read and replaced', async () => {
  const container = await newContainer(server.client(), { throughput: 500 });
  const { resource, offer } = await container.readOffer();
  const { resource: definition } = await container.read();
  assert.equal(resource.content.offerThroughput, 500);
  assert.equal(resource.content.offerAutopilotSettings, undefined);
  assert.equal(resource.offerVersion, 'V2');
  assert.equal(resource.resource, definition._self);
  assert.equal(resource.offerResourceId, definition._rid);

  resource.content.offerThroughput = 1200;
  const replaced = await offer.replace(resource);
  assert.equal(replaced.statusCode, 200);
  assert.equal(replaced.resource.content.offerThroughput, 1200);
  assert.equal((await offer.read()).resource.content.offerThroughput, 1200);
  assert.equal((await container.readOffer()).resource.content.offerThroughput, 1200);
});

test('the offer of a database is read and replaced', async () => {
  const database = await newDatabase({ maxThroughput: 4000 });
  const { resource, offer } = await database.readOffer();
  assert.equal(resource.content.offerAutopilotSettings.maxThroughput, 4000);
  assert.equal(resource.resource, (await database.read()).resource._self);
  resource.content.offerAutopilotSettings.maxThroughput = 6000;
  const replaced = await offer.replace(resource);
  assert.equal(replaced.resource.content.offerAutopilotSettings.maxThroughput, 6000);
});

test('a container that asked for nothing has the least offer', async () => {
  const container = await newContainer(server.client());
  const { resource, offer } = await container.readOffer();
  assert.equal(resource.content.offerThroughput, 400);
  resource.content.offerThroughput = 500;
  assert.equal((await offer.replace(resource)).resource.content.offerThroughput, 500);
});

test('a database without throughput, and who shares one, have no offer', async () => {
  assert.equal((await (await newDatabase({})).readOffer()).resource, undefined);
  const database = await newDatabase({ throughput: 400 });
  const { container: shares } = await database.containers.create({ id: 'shares', partitionKey: '/pk' });
  assert.equal((await shares.readOffer()).resource, undefined);
  const { container: own } = await database.containers.create({ id: 'own', partitionKey: '/pk', throughput: 700 });
  assert.equal((await own.readOffer()).resource.content.offerThroughput, 700);
});

test('all offers are listed', async () => {
  const container = await newContainer(server.client(), { throughput: 400 });
  const { resource } = await container.readOffer();
  const { resources } = await server.client().offers.readAll().fetchAll();
  assert.ok(resources.some(({ id }) => id === resource.id));
  assert.equal(new Set(resources.map(({ id }) => id)).size, resources.length);
});

test('an offer changes from manual to autoscale and back', async () => {
  const container = await newContainer(server.client(), { throughput: 1500 });
  const { resource, offer } = await container.readOffer();
  const migrate = (name) => ({ initialHeaders: { [`x-ms-cosmos-migrate-offer-to-${name}`]: 'true' } });
  const scaled = await offer.replace(resource, migrate('autopilot'));
  assert.equal(scaled.resource.content.offerAutopilotSettings.maxThroughput, 2000);
  const manual = await offer.replace(scaled.resource, migrate('manual-throughput'));
  assert.equal(manual.resource.content.offerAutopilotSettings, undefined);
  assert.equal(manual.resource.content.offerThroughput, 2000);
});

for (const throughput of [0, 399, 450, 1_000_100, -400, 400.5, '400', null]) {
  test(`an offer of ${JSON.stringify(throughput)} is refused`, async () => {
    const container = await newContainer(server.client(), { throughput: 500 });
    const { resource, offer } = await container.readOffer();
    const changed = { ...resource, content: { ...resource.content, offerThroughput: throughput } };
    const { body } = await failure(offer.replace(changed), 400);
    assert.match(body.message, /between 400 and 1000000/);
    assert.equal((await offer.read()).resource.content.offerThroughput, 500);
  });
}

test('an offer survives a restart, and goes with its container', async () => {
  const own = await new Server().start();
  try {
    const { database } = await own.client().databases.create({ id: 'd', throughput: 600 });
    const { container } = await database.containers.create({ id: 'c', partitionKey: '/pk', maxThroughput: 3000 });
    const { resource, offer } = await container.readOffer();
    resource.content.offerAutopilotSettings.maxThroughput = 5000;
    await offer.replace(resource);
    await own.restart('SIGKILL');
    const again = own.client().database('d');
    assert.equal((await again.readOffer()).resource.content.offerThroughput, 600);
    const { resource: kept } = await again.container('c').readOffer();
    assert.equal(kept.content.offerAutopilotSettings.maxThroughput, 5000);
    await again.container('c').delete();
    assert.equal(await statusOf(own.client().offer(kept.id).read()), 404);
  } finally {
    await own.dispose();
  }
});

test('a client that does not try again is told how long to wait', async () => {
  const { id } = await newContainer(server.client(), { throughput: 400 });
  const container = server.client({ connectionPolicy: kWithoutRetries }).database('db').container(id);
  const [refused] = await flood(container);
  assert.equal(refused.code, 429);
  assert.equal(refused.substatus, 3200);
  assert.equal(refused.body.code, 'TooManyRequests');
  assert.match(refused.body.message, /^Request rate is large\./);
  assert.ok(refused.retryAfterInMs > 0);
  assert.ok((await metric('lapse_throttled_requests_total', id)) > 0);
});

test('the SDK tries again until all is written', async () => {
  const container = await newContainer(server.client(), { throughput: 400 });
  const ids = Array.from({ length: 250 }, (_, i) => `i${i}`);
  const charges = await Promise.all(ids.map(async (id) => {
    const { requestCharge } = await container.items.create({ id, pk: 'p' });
    return requestCharge;
  }));
  assert.deepEqual(new Set(charges), new Set([5.2]));
  const { resources } = await container.items.readAll().fetchAll();
  assert.equal(resources.length, ids.length);
  assert.ok((await metric('lapse_throttled_requests_total', container.id)) > 0, 'too slow to be throttled');
  assert.ok((await metric('lapse_request_units_total', container.id)) >= 250 * 5.2);
});

test('the same operation costs the same, and ttl nothing', async () => {
  const container = await newContainer(server.client(), { defaultTtl: 1000 });
  const chargeOf = async (promise) => (await promise).requestCharge;
  const plain = await chargeOf(container.items.create({ id: 'a', pk: 'p', text: 'x'.repeat(900) }));
  assert.equal(await chargeOf(container.items.create({ id: 'b', pk: 'p', text: 'x'.repeat(900), ttl: 5 })), plain);
  assert.equal(await chargeOf(container.item('a', 'p').read()), 1);
  assert.equal(await chargeOf(container.item('a', 'p').read()), 1);
  const unindexed = await newContainer(server.client(), {
    indexingPolicy: { indexingMode: 'consistent', includedPaths: [], excludedPaths: [{ path: '/*' }] },
  });
  assert.equal(await chargeOf(unindexed.items.create({ id: 'a', pk: 'p', many: [1, 2, 3, 4, 5, 6, 7, 8] })), 5);
});

test('without rate limiting nobody is throttled', async () => {
  const own = await new Server({ inMemory: true }).start();
  try {
    const { database } = await own.client({ connectionPolicy: kWithoutRetries }).databases.create({ id: 'd' });
    const { container } = await database.containers.create({ id: 'c', partitionKey: '/pk', throughput: 400 });
    await Promise.all(Array.from({ length: 300 }, (_, i) => container.items.create({ id: `${i}`, pk: 'p' })));
  } finally {
    await own.dispose();
  }
});

test('a malformed offer is refused', async () => {
  const container = await newContainer(server.client(), { throughput: 400 });
  const { resource } = await container.readOffer();
  for (const body of ['', '[]', '{"content":', {}, { content: null }, { content: { offerThroughput: {} } }]) {
    assertError(await server.raw.request('PUT', ['offers', resource.id], { body }), 400);
  }
});
