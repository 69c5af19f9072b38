/** Lists that are read side by side, by what comes next in each. */

/** What is read item by item, with the next one in sight. The generators of Node 22 cannot be disposed of themselves. */
export class Peekable<Item> implements AsyncDisposable {
  readonly #items: AsyncGenerator<Item, void, undefined>;
  #head: Item | undefined;

  private constructor(items: AsyncGenerator<Item, void, undefined>) {
    this.#items = items;
  }

  static async of<Item>(items: AsyncGenerator<Item, void, undefined>): Promise<Peekable<Item>> {
    const peekable = new Peekable(items);
    await peekable.next();
    return peekable;
  }

  /** The next item; undefined after the last one. */
  get head(): Item | undefined {
    return this.#head;
  }

  async next(): Promise<void> {
    const {done, value} = await this.#items.next();
    this.#head = done === true ? undefined : value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#items.return();
  }
}
