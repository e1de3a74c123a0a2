/** Explains whether an account may perform an action. */

import { Select, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { AccessExplanation } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { type Ref, useState } from 'react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { UserPicker } from '../users/user-picker.tsx';
import { folderName } from './folder-name.ts';
import classes from './matrix.module.css';
import { RIGHTS } from './rights.ts';

const ACTIONS = ['pull', 'push', 'pull_external', 'push_external'] as const;
type Action = (typeof ACTIONS)[number];

/** @param field the first field, for what leads here */
export function Explain({ field }: { field: Ref<HTMLInputElement> }) {
  const t = useMessages('folders');
  const [person, setPerson] = useState<{ id: string; username: string } | null>(null);
  const [action, setAction] = useState<Action>('push');
  const [typed, setTyped] = useState('');
  const [repository] = useDebouncedValue(typed.trim(), 300);
  const needsRepository = action === 'pull' || action === 'push';
  const ready = person !== null && (!needsRepository || repository !== '');
  const query = { user_id: person?.id ?? '', action, ...(needsRepository && { repository }) };
  const answer = useAnswer('folders.explainAccess', { query }, { enabled: ready, retry: false });
  return (
    <Panel title={t.explain} description={t.explainLead}>
      <div className={classes.question}>
        <UserPicker
          ref={field}
          label={t.person}
          placeholder={t.personPlaceholder}
          value={person}
          onChange={setPerson}
        />
        <Select
          label={t.action}
          data={ACTIONS.map((value) => ({ value, label: t.actions[value] }))}
          value={action}
          allowDeselect={false}
          onChange={(value) => setAction(ACTIONS.find((each) => each === value) ?? action)}
        />
        {needsRepository && (
          <TextInput
            label={t.repository}
            placeholder={t.repositoryPlaceholder}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </div>
      <div aria-live="polite" style={{ marginTop: 14 }}>
        {!ready && <Text c="dimmed">{t.ask}</Text>}
        {ready && <FaultAlert error={answer.error} />}
        {ready && answer.data && (
          <Answer answer={answer.data} who={person.username} {...{ action, repository }} />
        )}
      </div>
    </Panel>
  );
}

interface AnswerProps {
  answer: AccessExplanation;
  who: string;
  action: Action;
  repository: string;
}

function Answer({ answer, who, action, repository }: AnswerProps) {
  const t = useMessages('folders');
  const { allowed, is_admin, folder, because } = answer;
  const sentences = allowed ? t.yes : t.no;
  return (
    <div className={classes.answer} data-allowed={allowed}>
      <Text fw={600}>{sentences[action](who, repository)}</Text>
      {is_admin ? (
        <Text>{t.becauseAdmin}</Text>
      ) : (
        <>
          {folder !== null && (
            <Text>{folder === ROOT_FOLDER ? t.governsRoot : t.governs(folder)}</Text>
          )}
          <Text>{because.length === 0 ? t.noGrants : allowed ? t.grants : t.others}</Text>
          <ul>
            {because.map((each) => (
              <Grant key={`${each.group.id}/${each.grant.folder}`} {...each} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Grant({ group, grant }: AccessExplanation['because'][number]) {
  const [t, format] = useWords('folders');
  const rights = RIGHTS.filter((right) => grant[right]).map((right) => t.rights[right]);
  return (
    <li>
      {t.grantLine(
        group.name,
        rights.length > 0 ? format.list(rights) : t.nothingGranted,
        folderName(grant.folder, t.rootName),
      )}
    </li>
  );
}
