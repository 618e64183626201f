/** Gives each heading of one page its anchor, as code hosts do: the second `rules` is `rules-1`. */
export function createSlugs(): (title: string) => string {
  const given = new Map<string, number>();
  return (title) => {
    const plain = title.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const before = given.get(plain) ?? 0;
    given.set(plain, before + 1);
    return before === 0 ? plain : `${plain}-${before}`;
  };
}
