import { useMessages } from '../../../i18n/messages.ts';
import { NullableTextField } from '../../../kit/form/nullable-field.tsx';
import classes from './network.module.css';
import type { SectionFields } from './network-section.tsx';

export function ProxyFields({ value, set, faults }: SectionFields<'proxy'>) {
  const t = useMessages('network');
  return (
    <div className={classes.grid}>
      <NullableTextField
        label={t.httpProxy}
        className={classes.half}
        value={value.http_proxy}
        fault={faults.http_proxy}
        onChange={(http_proxy) => set({ http_proxy })}
      />
      <NullableTextField
        label={t.httpsProxy}
        className={classes.half}
        value={value.https_proxy}
        fault={faults.https_proxy}
        description={t.proxyHint}
        onChange={(https_proxy) => set({ https_proxy })}
      />
      <NullableTextField
        label={t.noProxy}
        description={t.noProxyHint}
        value={value.no_proxy}
        fault={faults.no_proxy}
        onChange={(no_proxy) => set({ no_proxy })}
      />
    </div>
  );
}
