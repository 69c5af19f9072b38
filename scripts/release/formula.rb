# Installs the single executable of a release. The release script fills this template in; a tap holds the result.
class Pixelctl < Formula
  desc "Command-line tool for Pixelfed servers: messages, blocks, filters, moderation as code"
  homepage "{{releases}}"
  version "{{version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{url macos-arm64}}"
      sha256 "{{sha256 macos-arm64}}"
    end
    on_intel do
      url "{{url macos-x64}}"
      sha256 "{{sha256 macos-x64}}"
    end
  end

  on_linux do
    on_arm do
      url "{{url linux-arm64}}"
      sha256 "{{sha256 linux-arm64}}"
    end
    on_intel do
      url "{{url linux-x64}}"
      sha256 "{{sha256 linux-x64}}"
    end
  end

  def install
    bin.install "pixelctl"
    man1.install Dir["man/*.1"]
    generate_completions_from_executable(bin/"pixelctl", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_match "pixelctl/#{version}", shell_output("#{bin}/pixelctl --version")
  end
end
