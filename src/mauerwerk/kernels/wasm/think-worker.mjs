// The script of a web worker that thinks: new Worker("think-worker.mjs", {type: "module"}).

import { serve } from "./think.mjs";

serve(self);
