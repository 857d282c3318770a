// Where a virtual list is: the row at its top edge and how many pixels of it are scrolled away. Exact at any length,
// which no scrollTop is: an element's height is capped by the browser (33.5 M px in Chromium, about 17 M elsewhere).

export class Anchor {
  /** The row at the top edge. */
  row = 0;
  /** Pixels of that row above the edge, 0 <= px < rowHeight. */
  px = 0;
  /** Rows in all. */
  total = 0;
  /** Pixels that rows can be seen in. */
  height = 0;

  constructor(readonly rowHeight: number) {}

  /** Distance of the top edge from the beginning, in px. */
  get top(): number {
    return this.row * this.rowHeight + this.px;
  }

  /** The greatest distance there can be. */
  get maxTop(): number {
    return Math.max(0, this.total * this.rowHeight - this.height);
  }

  /** Rows that fit wholly. */
  get fits(): number {
    return Math.max(1, Math.floor(this.height / this.rowHeight));
  }

  /** One past the last row of which anything can be seen. */
  get end(): number {
    return Math.min(this.total, this.row + Math.ceil((this.px + this.height) / this.rowHeight));
  }

  /** Goes to a distance from the beginning; returns whether anything changed. */
  to(top: number): boolean {
    const clamped = Math.min(Math.max(0, top), this.maxTop);
    const row = Math.floor(clamped / this.rowHeight);
    const px = clamped - row * this.rowHeight;
    const moved = row !== this.row || px !== this.px;
    this.row = row;
    this.px = px;
    return moved;
  }

  by(px: number): boolean {
    return this.to(this.top + px);
  }

  /** Moves as little as needed to show a row wholly. */
  reveal(row: number): boolean {
    const top = row * this.rowHeight;
    if (top < this.top) return this.to(top);
    if (top + this.rowHeight > this.top + this.height) return this.to(top + this.rowHeight - this.height);
    return false;
  }

  /** Takes another height. A row that was wholly seen, or would have been had there been any room, stays so when it is named. */
  resize(height: number, keep: number): void {
    const top = keep * this.rowHeight;
    const seen = keep >= 0 && (this.height <= 0 || (top >= this.top && top + this.rowHeight <= this.top + this.height));
    this.height = height;
    this.to(this.top);
    if (seen) this.reveal(keep);
  }

  /** Like reveal, but a row that is far off comes to the middle. */
  show(row: number): boolean {
    const near = row >= this.row - 2 && row <= this.end + 1;
    return near ? this.reveal(row) : this.to((row + 0.5) * this.rowHeight - this.height / 2);
  }
}
