-- Deliveries for wrk: each has one fix of its own, a second after the one before, as no phone says
-- ten thousand a second. The environment gives token, path and the first time.
local thread_count = 0

function setup(thread)
  thread:set("number", thread_count)
  thread_count = thread_count + 1
end

function init(arguments)
  count = 0
  headers = {
    ["Content-Type"] = "application/json",
    ["Authorization"] = "Bearer " .. os.getenv("DELIVER_TOKEN"),
  }
end

function request()
  count = count + 1
  local time = os.date("!%Y-%m-%dT%H:%M:%SZ", tonumber(os.getenv("DELIVER_START")) + 2 * count + number)
  local body = string.format(
    '{"type":"fix_recorded","id":"%s-%d-%d","occurred_at":"%s","lat":51.9,"lon":4.3,"accuracy":5}',
    os.getenv("DELIVER_NAME"), number, count, time)
  return wrk.format("POST", os.getenv("DELIVER_PATH"), headers, body)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    "\nresult %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
