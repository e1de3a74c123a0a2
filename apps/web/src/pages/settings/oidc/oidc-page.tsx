import { Stack } from '@mantine/core';
import type { OidcSettings } from '@portcullis/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { ask, call, keyOf } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { useNotices } from '../../../components/notices.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { SaveBar } from '../../../components/save-bar.tsx';
import { useDraft } from '../draft.ts';
import classes from '../settings.module.css';
import { OidcTestPanel } from './oidc-test.tsx';
import { useOidcWords } from './oidc-words.ts';
import { PeopleFields } from './people-fields.tsx';
import { ProviderFields } from './provider-fields.tsx';
import { RuleFields } from './rule-fields.tsx';

/** What each part of the form is given. */
export interface OidcFields {
  value: OidcSettings;
  set(change: Partial<OidcSettings>): void;
  faults: Readonly<Record<string, string>>;
}

export function Component() {
  const t = useOidcWords();
  const settings = useQuery(ask('oidc.settings'));
  return (
    <>
      <PageHead title={t.title} description={t.lead} />
      <Loaded query={settings} rows={3} rowHeight={180}>
        {(stored) => <Form stored={stored} />}
      </Loaded>
    </>
  );
}

function Form({ stored }: { stored: OidcSettings }) {
  const draft = useDraft(stored);
  const save = useSave(draft.discard);
  const faults = isProblem(save.error) ? save.error.fields : {};
  const fields = { value: draft.value, set: draft.set, faults };

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (draft.dirty) save.mutate(whole(draft.changes));
  }

  return (
    <form onSubmit={submit} autoComplete="off" noValidate>
      <div className={classes.columns}>
        <Stack>
          <ProviderFields {...fields} />
          <PeopleFields {...fields} />
          <RuleFields {...fields} />
        </Stack>
        <OidcTestPanel changes={whole(draft.changes)} />
      </div>
      <SaveBar
        dirty={draft.dirty}
        pending={save.isPending}
        error={save.error}
        onDiscard={() => {
          save.reset();
          draft.discard();
        }}
      />
    </form>
  );
}

/** Lines of the mapping that were begun and left empty aren't meant. */
function whole(changes: Partial<OidcSettings>): Partial<OidcSettings> {
  if (!changes.group_mapping) return changes;
  return {
    ...changes,
    group_mapping: changes.group_mapping.filter(({ claim, group }) => claim !== '' || group !== ''),
  };
}

function useSave(onDone: () => void) {
  const t = useOidcWords();
  const notices = useNotices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<OidcSettings>) => call('oidc.change', { body }),
    onSuccess: async (saved) => {
      queries.setQueryData(ask('oidc.settings').queryKey, saved);
      await queries.invalidateQueries({ queryKey: keyOf('oidc.config') });
      onDone();
      notices.done(t.saved);
    },
  });
}
