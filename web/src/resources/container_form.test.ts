import { describe, expect, it } from 'vitest';
import { printJson } from '../json/lossless_json';
import { emptyForm, nameProblem, readForm } from './container_form';

const good = { ...emptyForm('app'), id: 'sessions', partitionKeys: ['/user'] };

describe('the form of a new container', () => {
  it('makes the smallest definition', () => {
    const { problems, definition, throughput } = readForm(good);
    expect(problems).toEqual({});
    expect(throughput).toBeNull();
    expect(printJson(definition)).toBe(
      '{"id":"sessions","partitionKey":{"paths":["/user"],"kind":"Hash","version":2}}',
    );
  });

  it('makes a full one', () => {
    const { problems, definition, throughput } = readForm({
      ...good,
      partitionKeys: ['/tenant', '/user', '/session'],
      throughput: 'autoscale',
      ru: '4,000',
      ttl: { mode: 'default', duration: '12 h' },
      uniqueKeys: '/email\n/first, /last\n',
      indexingPolicy: '{"indexingMode":"consistent"}',
    });
    expect(problems).toEqual({});
    expect(throughput).toEqual({ kind: 'autoscale', ru: 4000 });
    expect(printJson(definition)).toBe(
      '{"id":"sessions","partitionKey":{"paths":["/tenant","/user","/session"],"kind":"MultiHash","version":2},' +
        '"defaultTtl":43200,' +
        '"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/email"]},{"paths":["/first","/last"]}]},' +
        '"indexingPolicy":{"indexingMode":"consistent"}}',
    );
  });

  it('says what is wrong, field by field', () => {
    const { problems } = readForm({
      database: 'a/b',
      isNewDatabase: true,
      id: '',
      partitionKeys: ['user', '/'],
      throughput: 'manual',
      ru: '399',
      ttl: { mode: 'default', duration: 'soon' },
      uniqueKeys: 'email',
      indexingPolicy: '{"a":',
    });
    expect(Object.keys(problems).sort()).toEqual([
      'database',
      'id',
      'indexingPolicy',
      'partitionKeys',
      'ru',
      'ttl',
      'uniqueKeys',
    ]);
  });

  it('knows the rules for names', () => {
    expect(nameProblem('ok name')).toBeUndefined();
    for (const name of ['', 'a#b', 'a?', 'x ', 'y'.repeat(256)]) expect(nameProblem(name)).toBeDefined();
  });
});
