/** Shows the configuration of an image. */

import { Stack } from '@mantine/core';
import type { ImageDetail } from '@portcullis/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { FactList } from '../../../kit/layout/panel.tsx';
import classes from '../images.module.css';
import { SectionTitle } from './section-title.tsx';

export function ImageConfig({ image }: { image: ImageDetail }) {
  const t = useMessages('images');
  const { entrypoint, cmd, env, user, exposed_ports: ports } = image;
  const labels = Object.entries(image.labels);
  return (
    <>
      <section>
        <SectionTitle>{t.config}</SectionTitle>
        <FactList
          facts={[
            [t.entrypoint, <Value key="entrypoint">{commandLine(entrypoint)}</Value>],
            [t.cmd, <Value key="cmd">{commandLine(cmd)}</Value>],
            [t.workingDir, <Value key="dir">{image.working_dir}</Value>],
            [
              t.user,
              user ? <Value key="user">{user}</Value> : <None key="user" text={t.rootUser} />,
            ],
            [t.ports, <Value key="ports">{ports.join(', ')}</Value>],
            [t.env, <Value key="env">{env.length > 0 && <Lines lines={env} />}</Value>],
          ]}
        />
      </section>
      {labels.length > 0 && (
        <section>
          <SectionTitle>{t.labels}</SectionTitle>
          <FactList
            facts={labels.map(([name, value]) => [name, <Value key={name}>{value}</Value>])}
          />
        </section>
      )}
    </>
  );
}

function Value({ children }: { children: ReactNode }) {
  const t = useMessages('images');
  return children ? <div className={classes.code}>{children}</div> : <None text={t.none} />;
}

function None({ text }: { text: string }) {
  return <span className={classes.none}>{text}</span>;
}

function Lines({ lines }: { lines: string[] }) {
  return (
    <Stack component="ul" gap={3}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </Stack>
  );
}

/** Quoted for a shell. */
export function commandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
