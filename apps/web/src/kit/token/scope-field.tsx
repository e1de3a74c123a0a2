/** The field for the scope of a token: one of the two whole scopes, or limits. */
import { Checkbox, Fieldset, Input, Stack, TagsInput } from '@mantine/core';
import type { TokenScope } from '@portcullis/contract';
import { TOKEN_ACTIONS, type TokenAction } from '@portcullis/domain';
import type { ReactNode } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { ChoiceRadios } from '../form/choices.tsx';
import classes from './scope-field.module.css';

type Limits = Exclude<TokenScope, string>;
const FIRST: Limits = { folders: 'all', actions: ['pull'], api: false, registry: true };

interface ScopeFieldProps {
  value: TokenScope;
  onChange(value: TokenScope): void;
  error?: string | undefined;
}

export function ScopeField({ value, onChange, error }: ScopeFieldProps) {
  const account = useMessages('account');
  const t = useMessages('tokenScope');
  const kind = typeof value === 'string' ? value : 'limited';
  const { docker, api } = account.scopes;
  const choices = {
    docker: { name: docker, effect: account.scopeHints.docker },
    api: { name: api, effect: account.scopeHints.api },
    limited: { name: t.limited, effect: t.limitedHint },
  };
  return (
    <>
      <ChoiceRadios
        label={account.scope}
        choices={choices}
        value={kind}
        onChange={(chosen) => chosen !== kind && onChange(chosen === 'limited' ? FIRST : chosen)}
      />
      {typeof value === 'object' && <LimitFields value={value} onChange={onChange} />}
      {error && <Input.Error>{error}</Input.Error>}
    </>
  );
}

function LimitFields({ value, onChange }: { value: Limits; onChange(value: Limits): void }) {
  const t = useMessages('tokenScope');
  const set = (change: Partial<Limits>) => onChange({ ...value, ...change });
  return (
    <Stack gap="sm" className={classes.limits}>
      <Group label={t.doors}>
        <Checkbox
          label={t.registry}
          checked={value.registry}
          onChange={(event) => set({ registry: event.currentTarget.checked })}
        />
        <Checkbox
          label={t.api}
          checked={value.api}
          onChange={(event) => set({ api: event.currentTarget.checked })}
        />
      </Group>
      <TagsInput
        label={t.folders}
        description={t.foldersHint}
        value={value.folders === 'all' ? [] : value.folders}
        placeholder={value.folders === 'all' ? t.allFolders : ''}
        onChange={(names) => set({ folders: names.length > 0 ? names : 'all' })}
        maxTags={200}
        clearable
      />
      <Group label={t.actions}>
        <Checkbox
          label={t.allActions}
          checked={value.actions === 'all'}
          onChange={(event) => set({ actions: event.currentTarget.checked ? 'all' : ['pull'] })}
        />
        {value.actions !== 'all' && (
          <ActionBoxes chosen={value.actions} onChange={(actions) => set({ actions })} />
        )}
      </Group>
    </Stack>
  );
}

interface ActionBoxesProps {
  chosen: readonly TokenAction[];
  onChange(actions: TokenAction[]): void;
}

/** The last action can't be cleared: a scope has at least one. */
function ActionBoxes({ chosen, onChange }: ActionBoxesProps) {
  const t = useMessages('tokenScope');
  function toggle(action: TokenAction, on: boolean): void {
    const next = TOKEN_ACTIONS.filter((each) => (each === action ? on : chosen.includes(each)));
    if (next.length > 0) onChange(next);
  }
  return (
    <div className={classes.actions}>
      {TOKEN_ACTIONS.map((action) => (
        <Checkbox
          key={action}
          label={t.actionNames[action]}
          checked={chosen.includes(action)}
          onChange={(event) => toggle(action, event.currentTarget.checked)}
        />
      ))}
    </div>
  );
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Fieldset variant="unstyled" legend={label}>
      <Stack gap={6} mt={4}>
        {children}
      </Stack>
    </Fieldset>
  );
}
