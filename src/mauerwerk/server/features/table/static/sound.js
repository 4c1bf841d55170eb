// The sounds of a table, made here: a piece is set down, dice roll, a card is laid, it is your turn.
// This script is loaded only where sounds are switched on.

"use strict";

const sound = (() => {
  const APART = 0.16; // seconds between two sounds
  const MOST = 4;

  // Noise that is the same each time.
  function hiss(context, seconds) {
    const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * seconds), context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let place = 0, seed = 7; place < samples.length; place += 1) {
      seed = (seed * 16807) % 2147483647;
      samples[place] = seed / 1073741823.5 - 1;
    }
    return Object.assign(context.createBufferSource(), { buffer });
  }

  // How loud something is: at once, then fading.
  function fading(context, at, loud, seconds) {
    const gain = context.createGain();
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(loud, at + 0.004);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    gain.connect(context.destination);
    return gain;
  }

  function tone(context, at, { type = "sine", from, to = from, loud, seconds }) {
    const oscillator = Object.assign(context.createOscillator(), { type });
    oscillator.frequency.setValueAtTime(from, at);
    oscillator.frequency.exponentialRampToValueAtTime(to, at + seconds);
    oscillator.connect(fading(context, at, loud, seconds));
    oscillator.start(at);
    oscillator.stop(at + seconds);
  }

  function noise(context, at, { from, to = from, q = 1, loud, seconds }) {
    const filter = Object.assign(context.createBiquadFilter(), { type: "bandpass" });
    filter.Q.value = q;
    filter.frequency.setValueAtTime(from, at);
    filter.frequency.exponentialRampToValueAtTime(to, at + seconds);
    const source = hiss(context, seconds);
    source.connect(filter).connect(fading(context, at, loud, seconds));
    source.start(at);
  }

  const SOUNDS = {
    // Wood on wood.
    piece(context, at) {
      tone(context, at, { type: "triangle", from: 260, to: 120, loud: 0.3, seconds: 0.12 });
      noise(context, at, { from: 1400, q: 2, loud: 0.25, seconds: 0.03 });
    },
    // Rattling, then lying still.
    dice(context, at) {
      [0, 0.05, 0.09, 0.16, 0.21, 0.3].forEach((later, place) => {
        noise(context, at + later, { from: 2600 - 250 * place, q: 6, loud: 0.5 - 0.05 * place, seconds: 0.035 });
      });
    },
    // Paper that slides.
    card(context, at) {
      noise(context, at, { from: 1200, to: 5200, q: 0.8, loud: 0.16, seconds: 0.16 });
    },
    // Two tones upwards.
    turn(context, at) {
      tone(context, at, { from: 523.25, loud: 0.16, seconds: 0.35 });
      tone(context, at + 0.14, { from: 783.99, loud: 0.16, seconds: 0.5 });
    },
  };

  let audio = null;
  let free = 0; // when the last sound has begun long enough ago
  // A browser lets a page sound only after somebody has pressed something.
  for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, () => audio?.resume());

  function play(name) {
    audio ??= new AudioContext();
    free = Math.max(free, audio.currentTime);
    SOUNDS[name](audio, free);
    free += APART;
    document.dispatchEvent(new CustomEvent("sounds", { detail: name }));
  }

  // What a picture brings sounds once, when it is shown.
  let before = ofPage();
  let asked = table()?.hasAttribute("data-asked");
  document.addEventListener("htmx:afterSettle", () => {
    const now = table()?.hasAttribute("data-asked");
    if (ofPage() > before && !table().classList.contains("moment")) {
      const heard = document.getElementById("sounds")?.dataset.sounds.split(" ") ?? [];
      const names = heard.map((each) => each.split(":")).filter(([number]) => Number(number) > before);
      for (const [, name] of names.slice(0, MOST)) play(name);
      if (now && !asked) play("turn");
      before = ofPage();
      asked = now;
    }
  });

  return {
    names: Object.keys(SOUNDS),
    play,
    // A sound as samples, without playing it.
    async rendered(name) {
      const context = new OfflineAudioContext(1, 44100, 44100);
      SOUNDS[name](context, 0);
      return (await context.startRendering()).getChannelData(0);
    },
  };
})();
