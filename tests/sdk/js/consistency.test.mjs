// Accounts with a consistency level of their own, and the resources that hang on the account's form.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { failure, newContainer, test } from './support/check.mjs';
import { serverForFile } from './support/server.mjs';

for (const [level, name, charge] of [
  ['strong', 'Strong', 2],
  ['bounded', 'BoundedStaleness', 2],
  ['eventual', 'Eventual', 1],
]) {
  describe(`--consistency ${level}`, () => {
    let container;
    const server = serverForFile({
      args: ['--consistency', level],
      async prepare(started) {
        container = await newContainer(started.client());
        await container.items.create({ id: 'x', pk: 'p' });
      },
    });

    test('the account says so, and reads cost accordingly', async () => {
      const { resource } = await server.client().getDatabaseAccount();
      assert.equal(resource.consistencyPolicy, name);
      assert.equal((await container.item('x', 'p').read()).requestCharge, charge);
      const weaker = await container.item('x', 'p').read({ consistencyLevel: 'Eventual' });
      assert.equal(weaker.requestCharge, 1);
    });

    test('a request cannot strengthen it', async () => {
      if (level === 'strong') return;
      const error = await failure(server.client().databases.readAll({ consistencyLevel: 'Strong' }).fetchAll(), 400);
      assert.match(error.message, /not stronger than the service consistency level/);
    });

    test('there are no conflicts', async () => {
      assert.deepEqual((await container.conflicts.readAll().fetchAll()).resources, []);
      assert.deepEqual((await container.conflicts.query('SELECT * FROM c').fetchAll()).resources, []);
      await failure(container.conflict('x', 'p').delete(), 404);
    });
  });
}
