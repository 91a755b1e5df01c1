import { describe, expect, it } from 'vitest';
import { KeyError, Signer, signedResource, signedRid, signedText } from './signature';

const kWellKnownKey = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

describe('signatures', () => {
  it('has the known answer', async () => {
    const signer = await Signer.of(kWellKnownKey);
    const header = await signer.authorization(
      'GET',
      'docs',
      'dbs/MyDb/colls/MyColl/docs/Ab 1',
      'Fri, 02 Jan 2026 03:04:05 GMT',
    );
    expect(header).toBe(encodeURIComponent('type=master&ver=1.0&sig=dSLMkWFIHCit4QGySKmxhkjJ9a+bdAS2yblq6xQXGBg='));
  });

  it('lowers the case of all but the link', () => {
    expect(signedText('POST', 'Docs', 'dbs/A/colls/B', 'Mon, 16 Nov 2026 13:45:00 GMT')).toBe(
      'post\ndocs\ndbs/A/colls/B\nmon, 16 nov 2026 13:45:00 gmt\n\n',
    );
  });

  it('signs the resource, the parent of a feed, and the id of an offer', () => {
    expect(signedResource([])).toEqual({ type: '', link: '' });
    expect(signedResource(['dbs'])).toEqual({ type: 'dbs', link: '' });
    expect(signedResource(['dbs', 'D'])).toEqual({ type: 'dbs', link: 'dbs/D' });
    expect(signedResource(['dbs', 'D', 'colls', 'C', 'docs'])).toEqual({ type: 'docs', link: 'dbs/D/colls/C' });
    expect(signedResource(['offers'])).toEqual({ type: 'offers', link: '' });
    expect(signedResource(['offers', 'AbCd'])).toEqual({ type: 'offers', link: 'abcd' });
  });

  it('signs the last rid of a path alone', () => {
    expect(signedRid(['dbs', 'AbCdEf=='])).toEqual({ type: 'dbs', link: 'abcdef==' });
    expect(signedRid(['dbs', 'AbCdEf==', 'colls'])).toEqual({ type: 'colls', link: 'abcdef==' });
    expect(signedRid(['dbs', 'A', 'colls', 'Bc=', 'docs'])).toEqual({ type: 'docs', link: 'bc=' });
    expect(signedRid(['dbs', 'A', 'colls', 'B', 'docs', 'De'])).toEqual({ type: 'docs', link: 'de' });
  });

  it('refuses what is no key', async () => {
    for (const key of ['', '   ', 'not base64!']) await expect(Signer.of(key)).rejects.toThrow(KeyError);
  });
});
