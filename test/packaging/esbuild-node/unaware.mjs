import { capabilities } from "marginalia";

capabilities().catch(({ code, hint }) => console.log(JSON.stringify({ code, hint })));
