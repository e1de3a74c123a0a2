/** Which policy decides about the images of a folder, and what its gates do. */
import { Anchor, Skeleton } from '@mantine/core';
import type { FolderOverview } from '@portcullis/contract';
import { DEFAULT_POLICY_NAME } from '@portcullis/domain';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { useAccount } from '../../session/account.ts';
import { useRuleSentence } from '../settings/policies/rule-sentence.ts';
import classes from './folders.module.css';

export function FolderGate({ folder }: { folder: FolderOverview }) {
  const [t, format] = useWords('folder');
  const words = useMessages('folders');
  const { pushGate, pushGates, pullGate, pullGates, immutableTags, statementModes } = words;
  const { push_gate: pushes, pull_gate: pulls, statements, waivers } = folder;
  const search = new URLSearchParams({ state: 'approved', folder: folder.name });
  return (
    <Panel title={t.gate}>
      <dl className={classes.gate}>
        <dt>
          <PolicyName folder={folder} />
        </dt>
        <dd>
          <Rules policyId={folder.policy_id} />
        </dd>
        <dt>{pullGate}</dt>
        <dd>
          {pullGates[pulls].name}. <Dimmed span>{pullGates[pulls].effect}</Dimmed>
        </dd>
        <dt>{pushGate}</dt>
        <dd>
          {pushGates[pushes].name}. <Dimmed span>{pushGates[pushes].effect}</Dimmed>
        </dd>
        <dt>{words.statements}</dt>
        <dd>
          {statementModes[statements].name}.{' '}
          <Dimmed span>{statementModes[statements].effect}</Dimmed>
        </dd>
        <dt>{immutableTags}</dt>
        <dd>
          <ImmutableTags patterns={folder.immutable_tags} />
        </dd>
        <dt>{t.waivers}</dt>
        <dd>
          <Anchor component={Link} to={`/waivers?${search}`} underline="always" size="md">
            {waivers.folder + waivers.everywhere === 0
              ? t.noWaivers
              : t.waiverCount(format.number(waivers.folder), format.number(waivers.everywhere))}
          </Anchor>
        </dd>
      </dl>
    </Panel>
  );
}

function ImmutableTags({ patterns }: { patterns: readonly string[] }) {
  const { noImmutableTags, immutableTagsEffect } = useMessages('folders');
  if (patterns.length === 0) return noImmutableTags;
  return (
    <>
      {patterns.map((pattern, at) => (
        <Fragment key={pattern}>
          <code>{pattern}</code>
          {at < patterns.length - 1 ? ', ' : '. '}
        </Fragment>
      ))}
      <Dimmed span>{immutableTagsEffect}</Dimmed>
    </>
  );
}

function PolicyName({ folder: { policy_id: id, policy_name: name } }: { folder: FolderOverview }) {
  const t = useMessages('folder');
  const { is_admin: isAdmin } = useAccount();
  const shown = id === null ? t.defaultPolicy : t.policy(name);
  if (!isAdmin) return shown;
  return <Link to={id === null ? '/settings/scan' : `/settings/policies/${id}`}>{shown}</Link>;
}

const ROW_HEIGHT = 21;

function Rules({ policyId }: { policyId: string | null }) {
  const words = useMessages('policies');
  const sentence = useRuleSentence();
  const params = { policy_id: policyId ?? DEFAULT_POLICY_NAME };
  const { data, isError } = useAnswer('policies.getPolicy', { params });
  // The name above says which policy it is.
  if (isError) return null;
  if (!data) return <Skeleton height={ROW_HEIGHT} aria-busy="true" />;
  if (data.rules.length === 0) return words.noRules;
  return (
    <ul className={classes.rules}>
      {[...new Set(data.rules.map(sentence))].map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
