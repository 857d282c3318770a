// The entry of index.html. The element is all there is.
import "./binlog-view.ts";
