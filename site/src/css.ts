// Styles that change with the state, set through the object model: `style=` in markup is what the page's policy
// forbids, and lit's styleMap writes it on the first render.
import { noChange, type ElementPart } from "lit";
import { Directive, directive, PartType, type PartInfo } from "lit/directive.js";

type Declarations = Readonly<Record<string, string>>;

class SetStyle extends Directive {
  #last: Declarations = {};

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error("style() stands alone in a tag: <p ${style({…})}>");
  }

  render(_declarations: Declarations): typeof noChange {
    return noChange;
  }

  override update(part: ElementPart, [declarations]: [Declarations]): typeof noChange {
    const { style } = part.element as HTMLElement;
    for (const name in this.#last) if (!(name in declarations)) style.removeProperty(name);
    for (const [name, value] of Object.entries(declarations)) {
      if (this.#last[name] !== value) style.setProperty(name, value);
    }
    this.#last = { ...declarations };
    return noChange;
  }
}

/** `<p ${style({ "--w": "4ch" })}>` */
export const style = directive(SetStyle);
