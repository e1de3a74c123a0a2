import { CopyButton } from '../../../kit/action/copy-button.tsx';
import classes from '../images.module.css';
import type { PullCommand } from './pull-commands.ts';

/** The commands of several tools, each with a button that copies it. */
export function CommandList({ commands }: { commands: readonly PullCommand[] }) {
  return (
    <div className={classes.commands}>
      {commands.map(({ tool, command }) => (
        <div key={tool} className={classes.command}>
          <span className={classes.tool}>{tool}</span>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must be able to scroll it */}
          <code tabIndex={0}>{command}</code>
          <CopyButton text={command} />
        </div>
      ))}
    </div>
  );
}
