// SQL in the editor: highlighting, and completion of words, functions and properties that were seen.
import type { CompletionContext, CompletionResult, Completion } from '@codemirror/autocomplete';
import { SQLDialect } from '@codemirror/lang-sql';
import type { Extension } from '@codemirror/state';
import { kFunctions, kKeywords } from './sql_words';

const kDialect = SQLDialect.define({
  keywords: kKeywords,
  builtin: kFunctions.join(' ').toLowerCase(),
  types: '',
  doubleQuotedStrings: true,
  backslashEscapes: true,
  spaceAfterDashes: false,
  identifierQuotes: '',
  operatorChars: '+-*/%&|^~<>=!?:',
  specialVar: '@',
});

// A single letter is mostly the name of what is queried, as in FROM c: suggestions would be in the way.
const kWordMin = 2;

const kWords: Completion[] = [
  ...kKeywords.split(' ').map((word) => ({ label: word.toUpperCase(), type: 'keyword' })),
  ...kFunctions.map((name) => ({ label: name, type: 'function', apply: `${name}(` })),
];

// `properties` are those that items have shown so far: names of the first level and paths below, such as address.city.
export function sqlLanguage(properties: () => readonly string[]): Extension {
  const complete = (context: CompletionContext): CompletionResult | null => {
    const path = context.matchBefore(/[A-Za-z_][\w]*(?:\.[\w]*)+/);
    if (path) {
      const [, before, typed] = /^[^.]+\.((?:[^.]+\.)*)([^.]*)$/.exec(path.text) ?? [];
      if (before === undefined || typed === undefined) return null;
      const names = new Set(
        properties()
          .filter((property) => property.startsWith(before))
          .map((property) => property.slice(before.length).split('.')[0]!),
      );
      return {
        from: path.to - typed.length,
        options: [...names].map((label) => ({ label, type: 'property' })),
        validFor: /^\w*$/,
      };
    }
    const word = context.matchBefore(/\w+/);
    if (!context.explicit && (word?.text.length ?? 0) < kWordMin) return null;
    return { from: word ? word.from : context.pos, options: kWords, validFor: /^\w*$/ };
  };
  // The language alone: the package's own completion would list every word a second time.
  return [kDialect.language, kDialect.language.data.of({ autocomplete: complete })];
}
