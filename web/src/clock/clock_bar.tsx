// The test clock: freeze, step, resume. It stays open beside every page, so that lists can be watched meanwhile.
import { Button, Field, Input } from '@fluentui/react-components';
import { PauseRegular } from '@fluentui/react-icons/svg/pause';
import { PlayRegular } from '@fluentui/react-icons/svg/play';
import { type FormEvent, useState } from 'react';
import { type ClockChange, changeClock } from '../api/lapse';
import { useSession } from '../app/session';
import { useSecond } from '../app/use_server_time';
import { BothTimes } from '../parts/both_times';
import { ErrorBar } from '../parts/error_bar';
import { parseDuration } from '../time/duration';

const kSteps: [string, number][] = [
  ['1 s', 1],
  ['1 min', 60],
  ['1 h', 3_600],
  ['1 d', 86_400],
];

export function ClockBar() {
  const { client, time } = useSession();
  const second = useSecond();
  const [custom, setCustom] = useState('30 d');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const parsed = parseDuration(custom);

  const change = async (wanted: ClockChange) => {
    setBusy(true);
    setError(undefined);
    try {
      const { value, sentAt } = await changeClock(client, wanted);
      time.observe(value.now_ms, value.frozen, sentAt);
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  const stepCustom = (event: FormEvent) => {
    event.preventDefault();
    if ('seconds' in parsed) void change({ advance: parsed.seconds });
  };

  return (
    <section className="clock-bar" aria-label="Test clock">
      <strong>Test clock</strong>
      <span className="clock-now">
        <BothTimes ms={second * 1000} />
      </span>
      {time.frozen ? (
        <Button
          size="small"
          icon={<PlayRegular />}
          disabledFocusable={busy}
          onClick={() => void change({ resume: true })}
        >
          Resume
        </Button>
      ) : (
        <Button
          size="small"
          icon={<PauseRegular />}
          disabledFocusable={busy}
          onClick={() => void change({ freeze: true })}
        >
          Freeze
        </Button>
      )}
      <div className="clock-steps" role="group" aria-label="Step forward">
        <span className="muted">Step</span>
        {kSteps.map(([label, seconds]) => (
          <Button
            key={label}
            size="small"
            disabledFocusable={busy}
            aria-label={`Step ${label}`}
            onClick={() => void change({ advance: seconds })}
          >
            {label}
          </Button>
        ))}
      </div>
      <form className="clock-custom" onSubmit={stepCustom}>
        <Field validationMessage={'error' in parsed ? parsed.error : undefined}>
          <Input size="small" aria-label="Another step" value={custom} onChange={(_, data) => setCustom(data.value)} />
        </Field>
        <Button size="small" type="submit" disabled={'error' in parsed} disabledFocusable={busy}>
          Step by this
        </Button>
      </form>
      <span className="muted clock-note">Time only goes forward: what expires stays gone.</span>
      <ErrorBar error={error} onDismiss={() => setError(undefined)} />
    </section>
  );
}
