// The three states of a container's time to live, as people say them.
import { Field, Input, Radio, RadioGroup } from '@fluentui/react-components';
import { parseDuration } from '../time/duration';
import type { TtlChoice } from './ttl_choice';

interface Props {
  choice: TtlChoice;
  onChange: (choice: TtlChoice) => void;
  disabled?: boolean;
}

export function TtlFields({ choice, onChange, disabled = false }: Props) {
  const parsed = parseDuration(choice.duration);
  const wrong = choice.mode === 'default' && 'error' in parsed ? parsed.error : undefined;
  return (
    <Field label="Time to live">
      <RadioGroup
        value={choice.mode}
        disabled={disabled}
        onChange={(_, data) => onChange({ ...choice, mode: data.value as TtlChoice['mode'] })}
      >
        <Radio value="off" label="Off: nothing expires" />
        <Radio value="no-default" label="On, no default: items with a ttl of their own expire" />
        <Radio value="default" label="On: every item expires after" />
      </RadioGroup>
      <Field
        className="ttl-duration"
        validationMessage={wrong}
        hint={wrong ? undefined : 'since its last write: 90 s, 12 h, 30 d. An item may have a ttl of its own.'}
      >
        <Input
          aria-label="Default lifetime"
          disabled={disabled || choice.mode !== 'default'}
          value={choice.duration}
          onChange={(_, data) => onChange({ ...choice, duration: data.value })}
        />
      </Field>
    </Field>
  );
}
