// A new container, and its database where that is new too.
import {
  Accordion,
  AccordionHeader,
  AccordionItem,
  AccordionPanel,
  Button,
  Checkbox,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogTitle,
  Field,
  Input,
  Select,
  Textarea,
} from '@fluentui/react-components';
import { AddRegular } from '@fluentui/react-icons/svg/add';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { type FormEvent, useState } from 'react';
import { createContainer, createDatabase } from '../api/resources';
import { ApiError } from '../api/errors';
import { goTo } from '../app/router';
import { useSession } from '../app/session';
import { TtlFields } from '../lifetime/ttl_fields';
import { ErrorBar } from '../parts/error_bar';
import { Modal, useClose } from '../parts/modal';
import { type ContainerForm, emptyForm, readForm } from './container_form';

const kLevelsMax = 3;

interface Props {
  database?: string | undefined;
  onClosed: () => void;
}

export function NewContainerDialog({ database, onClosed }: Props) {
  return (
    <Modal className="wide-dialog" onClosed={onClosed}>
      <NewContainerForm database={database} />
    </Modal>
  );
}

function NewContainerForm({ database }: Pick<Props, 'database'>) {
  const close = useClose();
  const { client, names } = useSession();
  const databases = names.state.databases ?? [];
  const [form, setForm] = useState<ContainerForm>(() => emptyForm(database ?? databases[0]));
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const change = (part: Partial<ContainerForm>) => setForm({ ...form, ...part });
  const { problems, definition, throughput } = readForm(form);
  const problem = (name: keyof ContainerForm) => (tried ? problems[name] : undefined);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problems).length > 0) return;
    setBusy(true);
    setError(undefined);
    try {
      if (form.isNewDatabase) await createDatabase(client, form.database, null).catch(unlessThere);
      await createContainer(client, form.database, definition, throughput);
      await names.refresh();
      close(() => goTo({ page: 'container', database: form.database, container: form.id, tab: 'items' }));
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  const setLevel = (index: number, path: string) =>
    change({ partitionKeys: form.partitionKeys.map((old, at) => (at === index ? path : old)) });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogBody>
        <DialogTitle>New container</DialogTitle>
        <DialogContent className="stack">
          <ErrorBar error={error} />
          <div className="two-columns">
            <Field label="Database" required validationMessage={problem('database')}>
              {form.isNewDatabase ? (
                <Input
                  value={form.database}
                  onChange={(_, data) => change({ database: data.value })}
                  placeholder="A new name"
                />
              ) : (
                <Select value={form.database} onChange={(_, data) => change({ database: data.value })}>
                  {databases.map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label="Container" required validationMessage={problem('id')}>
              <Input value={form.id} onChange={(_, data) => change({ id: data.value })} spellCheck={false} />
            </Field>
          </div>
          {databases.length > 0 && (
            <Checkbox
              label="In a new database"
              checked={form.isNewDatabase}
              onChange={(_, data) =>
                change({ isNewDatabase: data.checked === true, database: data.checked ? '' : (databases[0] ?? '') })
              }
            />
          )}
          <Field
            label="Partition key"
            required
            validationMessage={problem('partitionKeys')}
            hint={
              form.partitionKeys.length > 1
                ? 'Hierarchical: from the widest level to the finest.'
                : 'The property whose values spread the items.'
            }
          >
            <div className="levels">
              {form.partitionKeys.map((path, index) => (
                <Input
                  key={index}
                  aria-label={index === 0 ? 'Partition key path' : `Partition key path, level ${index + 1}`}
                  value={path}
                  onChange={(_, data) => setLevel(index, data.value)}
                  spellCheck={false}
                  contentAfter={
                    index > 0 ? (
                      <Button
                        size="small"
                        appearance="transparent"
                        icon={<DismissRegular />}
                        aria-label={`Remove level ${index + 1}`}
                        onClick={() => change({ partitionKeys: form.partitionKeys.filter((_, at) => at !== index) })}
                      />
                    ) : undefined
                  }
                />
              ))}
              {form.partitionKeys.length < kLevelsMax && (
                <Button
                  size="small"
                  appearance="subtle"
                  icon={<AddRegular />}
                  onClick={() => change({ partitionKeys: [...form.partitionKeys, '/'] })}
                >
                  Add a level
                </Button>
              )}
            </div>
          </Field>
          <TtlFields choice={form.ttl} onChange={(ttl) => change({ ttl })} />
          <div className="two-columns">
            <Field label="Throughput">
              <Select
                value={form.throughput}
                onChange={(_, data) =>
                  change({
                    throughput: data.value as ContainerForm['throughput'],
                    ru: data.value === 'autoscale' ? '4000' : '400',
                  })
                }
              >
                <option value="none">None: not limited</option>
                <option value="manual">Manual</option>
                <option value="autoscale">Autoscale</option>
              </Select>
            </Field>
            {form.throughput !== 'none' && (
              <Field label={form.throughput === 'manual' ? 'RU/s' : 'RU/s, the most'} validationMessage={problem('ru')}>
                <Input inputMode="numeric" value={form.ru} onChange={(_, data) => change({ ru: data.value })} />
              </Field>
            )}
          </div>
          <Accordion collapsible>
            <AccordionItem value="more">
              <AccordionHeader>Unique keys and indexing policy</AccordionHeader>
              <AccordionPanel className="stack">
                <Field
                  label="Unique keys"
                  hint="One key on each line: /email, or /first, /last. They cannot be changed later."
                  validationMessage={problem('uniqueKeys')}
                >
                  <Textarea
                    className="code-text"
                    value={form.uniqueKeys}
                    onChange={(_, data) => change({ uniqueKeys: data.value })}
                    rows={2}
                    spellCheck={false}
                  />
                </Field>
                <Field
                  label="Indexing policy"
                  hint="JSON. Left empty, every property is indexed."
                  validationMessage={problem('indexingPolicy')}
                >
                  <Textarea
                    className="code-text"
                    value={form.indexingPolicy}
                    onChange={(_, data) => change({ indexingPolicy: data.value })}
                    rows={5}
                    spellCheck={false}
                  />
                </Field>
              </AccordionPanel>
            </AccordionItem>
          </Accordion>
        </DialogContent>
        <DialogActions>
          <Button onClick={() => close()}>Cancel</Button>
          {/* The focus stays where it is while the server works: a dialog that loses it is not left cleanly. */}
          <Button appearance="primary" type="submit" disabledFocusable={busy}>
            Create
          </Button>
        </DialogActions>
      </DialogBody>
    </form>
  );
}

// A database of the name may have been made a moment ago, by a first attempt too.
function unlessThere(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 409)) throw error;
}
