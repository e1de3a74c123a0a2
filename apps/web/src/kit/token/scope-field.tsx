/** The field for the scope of a token: one of the two whole scopes, or limits. */
import { Checkbox, Fieldset, Input, Radio, Stack, TagsInput } from '@mantine/core';
import type { TokenScope } from '@portcullis/contract';
import { TOKEN_ACTIONS, type TokenAction } from '@portcullis/domain';
import type { ReactNode } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import classes from './scope-field.module.css';

type Limits = Exclude<TokenScope, string>;
const KINDS = ['docker', 'api', 'limited'] as const;
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
  const names = { ...account.scopes, limited: t.limited };
  const hints = { ...account.scopeHints, limited: t.limitedHint };

  function choose(chosen: string): void {
    const known = KINDS.find((each) => each === chosen);
    if (known !== undefined && known !== kind) onChange(known === 'limited' ? FIRST : known);
  }

  return (
    <>
      <Radio.Group label={account.scope} value={kind} onChange={choose}>
        <Stack gap="xs" mt={6}>
          {KINDS.map((each) => (
            <Radio key={each} value={each} label={names[each]} description={hints[each]} />
          ))}
        </Stack>
      </Radio.Group>
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
