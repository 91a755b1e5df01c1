// The editor for JSON and SQL. It is a part of the page that is loaded when it is first needed.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  HighlightStyle,
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { JsonError } from '../json/lossless_json';
import { changedNumbers } from '../json/stored_numbers';

export interface EditorMistake {
  from: number;
  to: number;
  message: string;
}

interface Props {
  kind: 'json' | 'sql';
  label: string;
  value: string;
  // What a person has typed; not what `value` has put there.
  onChange?: (value: string) => void;
  readOnly?: boolean;
  height: string;
  // The language and its completions, for SQL.
  language?: Extension;
  mistakes?: readonly EditorMistake[];
  // Ctrl+Enter in SQL, Ctrl+S in JSON.
  onCommit?: () => void;
}

// Colours are the theme's variables, so that light and dark need one style.
const kColours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--code-keyword)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-name)' },
  { tag: [tags.standard(tags.name), tags.function(tags.variableName)], color: 'var(--code-function)' },
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
]);

const kLook = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: '13px',
    backgroundColor: 'var(--colorNeutralBackground1)',
    color: 'var(--colorNeutralForeground1)',
  },
  '&.cm-focused': { outline: 'none' },
  // Above the gutter, which would cover an outline.
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    inset: '0',
    zIndex: '300',
    border: '2px solid var(--colorStrokeFocus2)',
    pointerEvents: 'none',
  },
  '.cm-scroller': { fontFamily: 'var(--fontFamilyMonospace)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--colorNeutralForeground1)' },
  '.cm-cursor': { borderLeftColor: 'var(--colorNeutralForeground1)' },
  '.cm-gutters': {
    backgroundColor: 'var(--colorNeutralBackground2)',
    color: 'var(--colorNeutralForeground3)',
    border: 'none',
  },
  '.cm-activeLine': { backgroundColor: 'var(--code-line)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--code-line)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--code-selection)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--colorNeutralBackground1)',
    color: 'var(--colorNeutralForeground1)',
    border: '1px solid var(--colorNeutralStroke1)',
    borderRadius: '4px',
    boxShadow: 'var(--shadow8)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--colorBrandBackground)',
    color: 'var(--colorNeutralForegroundOnBrand)',
  },
  '.cm-panels': { backgroundColor: 'var(--colorNeutralBackground2)', color: 'var(--colorNeutralForeground1)' },
});

// On changes that come from `value`.
const kFromValue = Annotation.define<boolean>();

export default function CodeEditor(props: Props) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const slots = useRef({ language: new Compartment(), access: new Compartment(), mistakes: new Compartment() });
  const { kind, label, value, readOnly = false, language, mistakes } = props;

  useEffect(() => {
    const { language: languageSlot, access, mistakes: mistakesSlot } = slots.current;
    const first = latest.current;
    const commit = () => {
      latest.current.onCommit?.();
      return latest.current.onCommit !== undefined;
    };
    view.current = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: first.value,
        extensions: [
          Prec.highest(keymap.of([{ key: kind === 'sql' ? 'Mod-Enter' : 'Mod-s', run: commit, preventDefault: true }])),
          lineNumbers(),
          foldGutter(),
          highlightSpecialChars(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          autocompletion(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          syntaxHighlighting(kColours),
          // Tab leaves the editor, for those who use the keyboard.
          keymap.of([
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...completionKeymap,
          ]),
          kLook,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': first.label }),
          languageSlot.of(first.language ?? json()),
          access.of(accessOf(first.readOnly ?? false)),
          mistakesSlot.of(mistakesOf(kind, first.mistakes)),
          lintGutter(),
          EditorView.updateListener.of((update) => {
            const isTyped = !update.transactions.some((transaction) => transaction.annotation(kFromValue));
            if (update.docChanged && isTyped) latest.current.onChange?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    return () => {
      view.current?.destroy();
      view.current = null;
    };
  }, [kind, label]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: kFromValue.of(true),
    });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: slots.current.access.reconfigure(accessOf(readOnly)) });
  }, [readOnly]);
  useEffect(() => {
    view.current?.dispatch({ effects: slots.current.language.reconfigure(language ?? json()) });
  }, [language]);
  useEffect(() => {
    view.current?.dispatch({ effects: slots.current.mistakes.reconfigure(mistakesOf(kind, mistakes)) });
  }, [kind, mistakes]);

  return <div ref={place} className="code-editor" style={{ height: props.height }} />;
}

function accessOf(readOnly: boolean): Extension {
  return [
    EditorState.readOnly.of(readOnly),
    EditorView.editable.of(!readOnly),
    readOnly ? EditorView.contentAttributes.of({ tabindex: '0', 'aria-readonly': 'true' }) : [],
  ];
}

// JSON is judged while it is typed. Mistakes of a query come from the server.
function mistakesOf(kind: Props['kind'], mistakes: readonly EditorMistake[] = []): Extension {
  if (kind === 'json') return linter((view) => jsonDiagnostics(view.state.doc.toString()), { delay: 250 });
  return linter(
    (view) => {
      const end = view.state.doc.length;
      return mistakes.map((mistake): Diagnostic => {
        const from = Math.min(mistake.from, end);
        const to = Math.min(Math.max(mistake.to, from + 1), end);
        // A mistake at the very end is shown at the last character.
        return { from: from === to ? Math.max(0, from - 1) : from, to, severity: 'error', message: mistake.message };
      });
    },
    { delay: 0 },
  );
}

function jsonDiagnostics(text: string): Diagnostic[] {
  if (text.trim() === '') return [];
  try {
    return changedNumbers(text).map(({ from, to, stored }) => ({
      from,
      to,
      severity: 'warning',
      message: `It is stored as ${stored}.`,
    }));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const from = Math.min(error.position, Math.max(0, text.length - 1));
    return [{ from, to: Math.min(from + 1, text.length), severity: 'error', message: error.message }];
  }
}
