// What this browser remembers of its conversation: {id, token, seen}. All tabs share it.

export const KEPT = "desk.conversation";

export const kept = {
  own: null, // where storage is refused (private window, quota) the conversation lasts as long as the page
  read() {
    try {
      const found = JSON.parse(localStorage.getItem(KEPT));
      return found?.id && found?.token ? found : this.own;
    } catch {
      return this.own;
    }
  },
  write(conversation) {
    this.own = null;
    try {
      if (conversation) localStorage.setItem(KEPT, JSON.stringify(conversation));
      else localStorage.removeItem(KEPT);
    } catch {
      this.own = conversation;
    }
  },
};

/** Calls back when another tab changed it. */
export function onKeptElsewhere(call) {
  window.addEventListener("storage", (event) => {
    if (event.key === KEPT || event.key === null) call(kept.read());
  });
}
