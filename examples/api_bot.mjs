// A bot that plays a whole game through the API. It needs Node 20 and nothing else.
//
//   node examples/api_bot.mjs http://127.0.0.1:8080 mauer        opens a table, against bots
//   node examples/api_bot.mjs http://127.0.0.1:8080/t/…/s/2/…    takes the seat of a personal link

async function ask(url, token, body) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  if (body) headers["Content-Type"] = "application/json";
  const answer = await fetch(url, {
    method: body ? "POST" : "GET",
    headers,
    body: body && JSON.stringify(body),
  });
  if (answer.status === 429) {
    // Too many requests: the server says how many seconds to wait.
    const seconds = Number(answer.headers.get("Retry-After"));
    await new Promise((resume) => setTimeout(resume, 1000 * seconds));
    return ask(url, token, body);
  }
  if (!answer.ok) throw new Error((await answer.json()).message);
  return answer;
}

const json = async (...request) => (await ask(...request)).json();

// The notices of a stream of server-sent events, one by one.
async function* notices(url, token) {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of (await ask(url, token)).body) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split("\n");
    text = lines.pop();
    for (const line of lines)
      if (line.startsWith("data: ")) yield JSON.parse(line.slice("data: ".length));
  }
}

async function play(table, token) {
  let view = await json(table, token);
  const told = notices(`${table}/stream?after=${view.number}`, token);
  while (view.status !== "over") {
    if (view.seats[view.seat].asked) {
      const { move } = view.legal[Math.floor(Math.random() * view.legal.length)];
      await ask(`${table}/moves`, token, { move, version: view.number });
    }
    await told.next();
    view = await json(table, token);
  }
  await told.return();
  return view;
}

async function takeSeat(address, game = "mauer") {
  const [site, link] = address.split("/t/");
  if (link) {
    const [table, , , secret] = link.split("/");
    const url = `${site}/api/tables/${table}`;
    const seated = await json(`${url}/claim`, "", { token: secret, name: "Robo" });
    return [url, seated.token];
  }
  const me = await json(`${site}/api/guests`, "", { name: "Robo" });
  const bot = { kind: "bot", level: "apprentice" };
  const chairs = [{ kind: "human" }, bot, bot];
  const table = { game, chairs, mine: [0], bot_delay_ms: 0 };
  const opened = await json(`${site}/api/tables`, me.token, table);
  return [`${site}/api/tables/${opened.table}`, opened.seats[0].token];
}

const view = await play(...(await takeSeat(...process.argv.slice(2))));
console.log(JSON.stringify(view.outcome));
process.exit(0);
