import { describe, expect, it } from 'vitest';
import { queryMistakes, readable } from './errors';

describe('errors of the API', () => {
  it('leaves the words of a text', () => {
    expect(readable('Bad thing.\r\nActivityId: 12-34, Request URI: /x')).toBe('Bad thing.');
    expect(readable('Message: {"Errors":["Too large.","Really."]}\r\nActivityId: 1')).toBe('Too large. Really.');
  });

  it('finds the places of mistakes in a query', () => {
    const text =
      'Message: {"errors":[{"severity":"Error","location":{"start":7,"end":9},' +
      '"code":"SC1001","message":"Syntax error."}]}';
    expect(queryMistakes(text)).toEqual([{ message: 'Syntax error.', code: 'SC1001', start: 7, end: 9 }]);
    expect(queryMistakes(`${text}\r\nActivityId: 1`)).toHaveLength(1);
    expect(queryMistakes('anything else')).toEqual([]);
    expect(queryMistakes('{"errors":')).toEqual([]);
  });
});
