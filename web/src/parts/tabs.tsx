// Tabs: one of them has the focus, arrow keys move and choose.
import { type KeyboardEvent, useRef } from 'react';

interface Props<T extends string> {
  label: string;
  tabs: readonly { value: T; label: string }[];
  selected: T;
  onSelect: (value: T) => void;
  small?: boolean;
}

export function Tabs<T extends string>({ label, tabs, selected, onSelect, small = false }: Props<T>) {
  const list = useRef<HTMLDivElement>(null);
  const choose = (index: number) => {
    const tab = tabs[(index + tabs.length) % tabs.length]!;
    onSelect(tab.value);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.value}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === selected);
    const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const target = moves[event.key];
    if (target === undefined) return;
    event.preventDefault();
    choose(target);
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      className={`tabs ${small ? 'tabs-small' : ''}`}
      onKeyDown={onKeyDown}
    >
      {tabs.map(({ value, label: text }) => (
        <button
          key={value}
          type="button"
          role="tab"
          data-tab={value}
          aria-selected={value === selected}
          tabIndex={value === selected ? 0 : -1}
          onClick={() => onSelect(value)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
