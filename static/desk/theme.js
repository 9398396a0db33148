// Light, dark or the system's choice; the same attribute as Django's admin (html[data-theme]).
// Loaded without defer, so that a kept choice is there before the first paint.
const root = document.documentElement;
const kept = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
const wanted = new URLSearchParams(location.search).get("theme") || kept();
if (wanted) root.dataset.theme = wanted;
document.addEventListener("click", (event) => {
  if (!event.target.closest(".theme-toggle")) return;
  const dark = root.dataset.theme === "dark" || (root.dataset.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("theme", root.dataset.theme); } catch { /* private window: lasts for this page */ }
});
