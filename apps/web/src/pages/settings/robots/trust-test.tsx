/** The check of an identity token against the trust rules, which does not use the token. */
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import type { TrustTest } from '@portcullis/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { Badge } from '../../../kit/verdict/badge.tsx';
import classes from './robots.module.css';

export function TrustTestPanel() {
  const t = useMessages('trusts');
  const [token, setToken] = useState('');
  const test = useMutation({
    mutationFn: () => call('trusts.test', { body: { token: token.trim() } }),
  });
  return (
    <Panel title={t.test} description={t.testLead}>
      <Stack gap="sm">
        <Textarea
          label={t.token}
          value={token}
          autosize
          minRows={2}
          maxRows={5}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button
            variant="default"
            loading={test.isPending}
            disabled={token.trim() === ''}
            onClick={() => test.mutate()}
          >
            {t.test}
          </Button>
        </Group>
        <div aria-live="polite">
          <FaultAlert error={test.error} />
          {test.data && <Result {...test.data} />}
        </div>
      </Stack>
    </Panel>
  );
}

function Result({ fault, audiences, claims, rules }: TrustTest) {
  const t = useMessages('trusts');
  const { codes } = useMessages('fault');
  return (
    <Stack gap="sm" align="flex-start">
      {fault === null ? (
        <Badge tone="good">{t.valid}</Badge>
      ) : (
        <Badge tone="critical">{codes[fault] ?? fault}</Badge>
      )}
      {rules.length === 0 && <Text>{t.noRule}</Text>}
      {rules.map((rule) => (
        <div key={rule.id}>
          <Text fw={550}>{rule.accepts ? t.accepted(rule.name) : t.refused(rule.name)}</Text>
          <Stack component="ul" gap={4}>
            {!rule.enabled && <li>{t.inactive}</li>}
            {!rule.audience_matches && <li>{t.wrongAudience(audiences.join(', '))}</li>}
            {rule.conditions
              .filter(({ matches }) => !matches)
              .map(({ claim, found }) => (
                <li key={claim}>{found === null ? t.noClaim(claim) : t.claim(claim, found)}</li>
              ))}
          </Stack>
        </div>
      ))}
      <details>
        <summary>{t.claims}</summary>
        <code className={classes.conditions}>
          {Object.entries(claims)
            .map(([claim, value]) => `${claim} = ${value}`)
            .join('\n')}
        </code>
      </details>
    </Stack>
  );
}
