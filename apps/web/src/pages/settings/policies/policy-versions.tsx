/** The versions of a policy, newest first; the terms of an older one can be taken into the form. */
import { Button, Group, Text } from '@mantine/core';
import type { PolicyDetail, PolicyTerms, PolicyVersion } from '@portcullis/contract';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { Panel } from '../../../kit/layout/panel.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import classes from './policies.module.css';
import {
  changedTerms,
  hasSameTerms,
  type PolicyDraft,
  type TermName,
  termsOf,
} from './policy-draft.ts';
import { RuleSentences } from './policy-table.tsx';

interface PolicyVersionsProps {
  policy: PolicyDetail;
  draft: PolicyDraft;
  onRestore(terms: PolicyTerms): void;
}

export function PolicyVersions({ policy, draft, onRestore }: PolicyVersionsProps) {
  const t = useMessages('policies');
  return (
    <Panel title={t.history}>
      {policy.versions.map((version, at) => (
        <Version
          key={version.version}
          version={version}
          before={policy.versions[at + 1]}
          isCurrent={version.version === policy.version}
          {...(!hasSameTerms(version, draft) && { onRestore: () => onRestore(termsOf(version)) })}
        />
      ))}
    </Panel>
  );
}

interface VersionProps {
  version: PolicyVersion;
  /** The one before it. */
  before: PolicyVersion | undefined;
  isCurrent: boolean;
  /** Absent where the form has these terms. */
  onRestore?: () => void;
}

function Version({ version, before, isCurrent, onRestore }: VersionProps) {
  const [t, format] = useWords('policies');
  const number = format.number(version.version);
  return (
    <div className={classes.version}>
      <Group justify="space-between" gap="xs">
        <Text component="div" fw={550}>
          {t.version(number)}
          {isCurrent && ` · ${t.current}`}{' '}
          <Text span size="sm" c="dimmed">
            {t.savedBy(version.saved_by)} · <RelativeTime at={version.saved_at} />
          </Text>
        </Text>
        {onRestore && (
          <Button variant="subtle" size="compact-sm" onClick={onRestore}>
            {t.restore(number)}
          </Button>
        )}
      </Group>
      <RuleSentences terms={version} />
      {before && <Changed terms={changedTerms(version, before)} />}
    </div>
  );
}

function Changed({ terms }: { terms: readonly TermName[] }) {
  const [t, format] = useWords('policies');
  if (terms.length === 0) return null;
  return <Dimmed>{t.changed(format.list(terms.map((term) => t.termNames[term])))}</Dimmed>;
}
