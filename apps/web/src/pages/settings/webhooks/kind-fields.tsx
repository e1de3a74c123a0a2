/** Which events a webhook gets: all, or a selection by groups. */
import { Checkbox, Fieldset, Stack, Text } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceField } from '../../../kit/form/choice-field.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import type { WebhookForm } from './webhook-form.ts';
import { GROUPS, KIND_GROUPS, type Kind } from './webhook-kinds.ts';
import classes from './webhooks.module.css';

export function KindFields({ value: { all, kinds }, set }: Fields<WebhookForm>) {
  const t = useMessages('webhooks');
  const toggle = (kind: Kind, wanted: boolean) =>
    set({ kinds: wanted ? [...kinds, kind] : kinds.filter((each) => each !== kind) });
  return (
    <Stack gap="xs">
      <Text size="sm" fw={550}>
        {t.events}
      </Text>
      <ChoiceField
        label={t.events}
        values={['some', 'all']}
        names={{ some: t.selectedKinds, all: t.allKinds }}
        value={all ? 'all' : 'some'}
        onChange={(value) => set({ all: value === 'all' })}
      />
      {all ? (
        <Text size="sm" c="dimmed">
          {t.allHint}
        </Text>
      ) : (
        <>
          {GROUPS.map((group) => (
            <Fieldset key={group} legend={t.groups[group]}>
              <div className={classes.kinds}>
                {KIND_GROUPS[group].map((kind: Kind) => (
                  <Checkbox
                    key={kind}
                    label={t.kinds[kind]}
                    checked={kinds.includes(kind)}
                    onChange={(event) => toggle(kind, event.currentTarget.checked)}
                  />
                ))}
              </div>
            </Fieldset>
          ))}
          {kinds.length === 0 && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {t.noKinds}
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}
