import { useMessages } from '../../../i18n/messages.ts';
import classes from './matrix.module.css';
import { RIGHT_ICONS } from './right-icons.ts';
import { RIGHTS } from './rights.ts';

export function RightsLegend() {
  const t = useMessages('folders');
  return (
    <dl className={classes.legend}>
      {RIGHTS.map((right) => {
        const Icon = RIGHT_ICONS[right];
        return (
          <div key={right}>
            <dt>
              <Icon size={16} stroke={1.8} aria-hidden="true" />
              {t.rights[right]}
            </dt>
            <dd>{t.rightHints[right]}</dd>
          </div>
        );
      })}
    </dl>
  );
}
