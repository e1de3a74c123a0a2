/** Parses pasted references: names, `docker pull` commands and Docker Hub links. */
export interface PastedReference {
  host: string | null;
  image: string;
  tag: string | null;
}

const HUB_HOSTS = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io']);
const HUB_LINK = /^(?:https?:\/\/)?hub\.docker\.com\/(?:r\/([\w./-]+)|_\/([\w.-]+))/;
const NOISE = /^(?:(?:docker|podman|nerdctl|crane)\s+pull\s+|(?:docker|oci):\/\/|https?:\/\/)/;

export function readReference(text: string): PastedReference {
  const trimmed = text.trim();
  const link = HUB_LINK.exec(trimmed);
  if (link)
    return {
      host: null,
      image: (link[1] ?? `library/${link[2]}`).replace(/\/tags.*$/, ''),
      tag: null,
    };
  const [place, digest] = split(trimmed.replace(NOISE, ''), '@');
  const slash = place.lastIndexOf('/');
  const [last, tag] = split(place.slice(slash + 1), ':');
  const path = place.slice(0, slash + 1) + last;
  return { ...withHost(path), tag: digest ?? tag };
}

/** The first part is a host if it has a dot or a port, or is `localhost`. */
function withHost(path: string): Pick<PastedReference, 'host' | 'image'> {
  const [first, rest] = split(path, '/');
  if (rest === null || !(/[.:]/.test(first) || first === 'localhost'))
    return { host: null, image: path };
  return { host: HUB_HOSTS.has(first) ? null : first, image: rest };
}

function split(text: string, by: string): [string, string | null] {
  const at = text.indexOf(by);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + by.length)];
}
