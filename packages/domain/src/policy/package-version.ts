/**
 * An order of package versions for display: that of dpkg (deb-version(7)), which rpm and apk follow
 * in most cases. No decision depends on it.
 */

/** Negative where the first is older. */
export function comparePackageVersions(one: string, other: string): number {
  const [first, second] = [partsOf(one), partsOf(other)];
  return (
    first.epoch - second.epoch ||
    compareText(first.upstream, second.upstream) ||
    compareText(first.revision, second.revision)
  );
}

function partsOf(version: string) {
  const [, epoch = '0', text = ''] = /^v?(?:(\d{1,9}):)?(.*)$/s.exec(version) ?? [];
  // A pre-release of semver precedes its release, as a tilde does.
  const rest = text.replace(/^(\d+\.\d+\.\d+)-(?=[A-Za-z])/, '$1~');
  const dash = rest.lastIndexOf('-');
  return {
    epoch: Number(epoch),
    upstream: dash < 0 ? rest : rest.slice(0, dash),
    revision: dash < 0 ? '' : rest.slice(dash + 1),
  };
}

/** Runs of digits and of other characters, in turn. */
function compareText(one: string, other: string): number {
  let [left, right] = [one, other];
  while (left !== '' || right !== '') {
    const [words, others] = [leading(left, /^\D*/), leading(right, /^\D*/)];
    const byWords = compareWords(words, others);
    if (byWords !== 0) return byWords;
    [left, right] = [left.slice(words.length), right.slice(others.length)];
    const [digits, otherDigits] = [leading(left, /^\d*/), leading(right, /^\d*/)];
    const byDigits = compareDigits(digits, otherDigits);
    if (byDigits !== 0) return byDigits;
    [left, right] = [left.slice(digits.length), right.slice(otherDigits.length)];
  }
  return 0;
}

function leading(text: string, pattern: RegExp): string {
  return pattern.exec(text)?.[0] ?? '';
}

/** A tilde precedes even the end, letters precede other characters. */
function compareWords(one: string, other: string): number {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const difference = rankOf(one[at]) - rankOf(other[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function rankOf(character: string | undefined): number {
  if (character === undefined) return 0;
  if (character === '~') return -1;
  return character.charCodeAt(0) + (/[A-Za-z]/.test(character) ? 0 : 0x10_000);
}

/** Without limit of length. */
function compareDigits(one: string, other: string): number {
  const [left, right] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')];
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
