import type { ImageDetail } from '@portcullis/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import classes from '../images.module.css';
import { SectionTitle } from './section-title.tsx';

export function ImageConfig({ image }: { image: ImageDetail }) {
  const t = useMessages('images');
  const labels = Object.entries(image.labels);
  return (
    <>
      <section>
        <SectionTitle>{t.config}</SectionTitle>
        <dl className={classes.facts}>
          <Fact name={t.entrypoint}>
            {image.entrypoint.length > 0 && commandLine(image.entrypoint)}
          </Fact>
          <Fact name={t.cmd}>{image.cmd.length > 0 && commandLine(image.cmd)}</Fact>
          <Fact name={t.workingDir}>{image.working_dir}</Fact>
          <Fact name={t.user} plain={!image.user}>
            {image.user || t.rootUser}
          </Fact>
          <Fact name={t.ports}>{image.exposed_ports.join(', ')}</Fact>
          <Fact name={t.env}>{image.env.length > 0 && <Lines lines={image.env} />}</Fact>
        </dl>
      </section>
      {labels.length > 0 && (
        <section>
          <SectionTitle>{t.labels}</SectionTitle>
          <dl className={classes.facts}>
            {labels.map(([name, value]) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </dl>
        </section>
      )}
    </>
  );
}

interface FactProps {
  name: string;
  /** Not a value of the image. */
  plain?: boolean;
  children: ReactNode;
}

function Fact({ name, plain = false, children }: FactProps) {
  const t = useMessages('images');
  const empty = !children;
  return (
    <>
      <dt>{name}</dt>
      <dd className={empty || plain ? classes.none : classes.code}>{empty ? t.none : children}</dd>
    </>
  );
}

function Lines({ lines }: { lines: string[] }) {
  return (
    <ul className={classes.lines}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** Quoted for a shell. */
export function commandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
