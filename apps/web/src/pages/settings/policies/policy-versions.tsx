/** The versions of a policy, newest first; the terms of an older one can be taken into the form. */
import { Button, Group, Text } from '@mantine/core';
import type { PolicyDetail, PolicyTerms, PolicyVersion } from '@portcullis/contract';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { Panel } from '../../../kit/layout/panel.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import classes from './policies.module.css';
import { hasSameTerms, type PolicyDraft, termsOf } from './policy-draft.ts';
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
      {policy.versions.map((version) => (
        <Version
          key={version.version}
          version={version}
          isCurrent={version.version === policy.version}
          {...(!hasSameTerms(version, draft) && { onRestore: () => onRestore(termsOf(version)) })}
        />
      ))}
    </Panel>
  );
}

interface VersionProps {
  version: PolicyVersion;
  isCurrent: boolean;
  /** Absent where the form has these terms. */
  onRestore?: () => void;
}

function Version({ version, isCurrent, onRestore }: VersionProps) {
  const t = useMessages('policies');
  const format = useFormat();
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
      <RuleSentences rules={version.rules} />
    </div>
  );
}
