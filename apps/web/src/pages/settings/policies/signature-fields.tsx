/** Which signatures a policy asks for. */
import { Button, CloseButton, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import type { SignatureRequirement } from '@portcullis/contract';
import { MOST_REQUIREMENTS, REQUIREMENT_MATCHES } from '@portcullis/domain';
import { IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { ChoiceSelect } from '../../../kit/form/choices.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import classes from './policies.module.css';
import {
  authoritiesOf,
  matchOf,
  NEW_REQUIREMENT,
  type PolicyDraft,
  withAuthorities,
} from './policy-draft.ts';

export function SignatureFields({ value: { signatures }, set, faultAt }: Fields<PolicyDraft>) {
  const t = useMessages('policies');
  const { data } = useAnswer('authorities.listAuthorities');
  const known = data?.items.map(({ name }) => name) ?? [];
  const put = (at: number, next: SignatureRequirement[]) =>
    set({ signatures: signatures.toSpliced(at, 1, ...next) });
  return (
    <Stack>
      {signatures.map((asked, at) => (
        <Requirement
          // biome-ignore lint/suspicious/noArrayIndexKey: requirements have only positions
          key={at}
          at={at}
          asked={asked}
          known={known}
          faultOf={(name) => faultAt(`signatures.${at}.${name}`)}
          onChange={(next) => put(at, [next])}
          onRemove={() => put(at, [])}
        />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          disabled={signatures.length >= MOST_REQUIREMENTS}
          onClick={() => put(signatures.length, [NEW_REQUIREMENT])}
        >
          {t.addSignature}
        </Button>
      </div>
    </Stack>
  );
}

interface RequirementProps {
  /** Its position in the policy, from 0. */
  at: number;
  asked: SignatureRequirement;
  /** The names of the authorities that there are. */
  known: readonly string[];
  faultOf(name: string): string | undefined;
  onChange(next: SignatureRequirement): void;
  onRemove(): void;
}

function Requirement({ at, asked, known, faultOf, onChange, onRemove }: RequirementProps) {
  const [t, format] = useWords('policies');
  const title = useId();
  const match = matchOf(asked);
  const named = authoritiesOf(asked);
  const number = format.number(at + 1);
  const fault = REQUIREMENT_MATCHES.map(faultOf).find((text) => text !== undefined);
  return (
    <section className={classes.rule} aria-labelledby={title}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text fw={550} id={title}>
          {number}.
        </Text>
        <CloseButton aria-label={t.removeSignature(number)} onClick={onRemove} />
      </Group>
      <div className={classes.fields}>
        <TextInput
          label={t.signedImages}
          description={t.signedImagesHint}
          value={asked.images}
          error={faultOf('images')}
          onChange={(event) => onChange({ ...asked, images: event.currentTarget.value })}
        />
        <ChoiceSelect
          label={t.signersMatch}
          names={t.matches}
          value={match}
          onChange={(next) => onChange(withAuthorities(asked, next, named))}
        />
        <MultiSelect
          label={t.signers}
          data={[...new Set([...known, ...named])]}
          value={named}
          error={fault}
          onChange={(next) => onChange(withAuthorities(asked, match, next))}
          searchable
        />
        <TextInput
          label={t.attestation}
          description={t.attestationHint}
          value={asked.attestation ?? ''}
          error={faultOf('attestation')}
          onChange={(event) =>
            onChange({ ...asked, attestation: event.currentTarget.value || null })
          }
        />
      </div>
    </section>
  );
}
