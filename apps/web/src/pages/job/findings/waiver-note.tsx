/** Who allows a vulnerability until when, or who has requested it. */
import { Anchor, Group, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { useScopeText, useWaiverSentence } from '../../../kit/waiver/waiver-words.ts';
import { useWaiversOf } from './finding-waivers.ts';
import classes from './findings.module.css';

const MOST_LISTED = 5;

/** In a row, which is a button itself. */
export function WaiverNote({ vulnerability }: { vulnerability: string }) {
  const sentence = useWaiverSentence();
  const [first] = useWaiversOf(vulnerability);
  if (!first) return null;
  return (
    <span className={classes.waiver} data-in-force={first.in_force || undefined}>
      {sentence(first)}
    </span>
  );
}

/** With what each covers, and a link to it. */
export function WaiverLinks({ vulnerability }: { vulnerability: string }) {
  const sentence = useWaiverSentence();
  const scope = useScopeText();
  const waivers = useWaiversOf(vulnerability);
  if (waivers.length === 0) return null;
  return (
    <Stack component="ul" gap={8}>
      {waivers.slice(0, MOST_LISTED).map((waiver) => (
        <Group component="li" gap="4px 8px" key={waiver.id}>
          <Anchor component={Link} to={`/waivers?state=all&open=${waiver.id}`} size="sm">
            {sentence(waiver)}
          </Anchor>
          <Dimmed span>{scope(waiver)}</Dimmed>
        </Group>
      ))}
    </Stack>
  );
}
