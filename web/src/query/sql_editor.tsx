// The editor with SQL in it, loaded together with the editor itself.
import { useMemo } from 'react';
import CodeEditor, { type EditorMistake } from '../parts/code_editor';
import { sqlLanguage } from './sql_language';

interface Props {
  value: string;
  onChange: (value: string) => void;
  onRun: () => void;
  mistakes: readonly EditorMistake[];
  properties: () => readonly string[];
}

export default function SqlEditor({ value, onChange, onRun, mistakes, properties }: Props) {
  const language = useMemo(() => sqlLanguage(properties), [properties]);
  return (
    <CodeEditor
      kind="sql"
      label="SQL query"
      value={value}
      onChange={onChange}
      onCommit={onRun}
      mistakes={mistakes}
      language={language}
      height="110px"
    />
  );
}
